// The server's answers as the page knows them, and how to ask for them.

import { text } from "./strings";

export interface Question {
  game: string;
  rules?: string;
  size?: string;
  position?: string;
  to_play?: "b" | "w";
  ko?: string;
  passed?: boolean;
  moves?: string[];
}

// Endless is what a game of Go without end counts under basic ko, for Black.
export type Endless = "draw" | "lose" | "win";
export const ENDLESS: readonly Endless[] = ["draw", "lose", "win"];

export interface About {
  version: string;
  games: { name: string; title: string; rules?: string[]; max_rows: number; max_cols: number; max_line?: number }[];
  players?: { name: string; title: string }[];
  levels?: number[];
  cluster?: boolean;
}

export interface Result {
  winner: "black" | "white" | "none";
  score?: number;
  text: string;
}

export interface Position {
  size: string;
  position: string;
  to_play: "b" | "w";
  ko?: string;
  passes?: number;
  legal: string[];
  over: boolean;
  result?: Result;
  text: string;
}

export interface Finding {
  move?: string;
  grade: "exact" | "bounded" | "estimated" | "unknown";
  by?: string;
  winner?: "black" | "white";
  score?: number;
  lo?: number;
  hi?: number;
  length?: number;
  win_share?: number;
  visits?: number;
  line?: string[];
  error_bound?: number;
}

export interface News {
  moves?: Finding[];
  best?: Finding;
  decided?: number;
  classes?: number;
  nodes?: number;
  playouts?: number;
  rate?: number;
  elapsed?: number;
  settled?: boolean;
  warnings?: string[];
  error_bound?: number;
}

// Worth is the result of a position, and Judged a move of a game that was reviewed.
export interface Worth {
  grade: Finding["grade"];
  winner?: "black" | "white" | "none";
  score?: number;
  share?: number; // of wins that Black may expect
}

export interface Judged {
  number: number;
  before: Worth;
  after: Worth;
  mistake: boolean;
  says?: string;
}

export interface Reviewed {
  moves: Judged[];
  summary: string;
  warnings: string[];
}

export interface PlayAnswer {
  move: string;
  says?: string;
  known?: "won" | "lost" | "drawn" | "unknown";
  win_share?: number;
  score?: number;
}

export interface WhyAnswer {
  winner?: "black" | "white";
  to_play?: string;
  role?: "winner" | "loser";
  reply?: string;
  by?: string;
  moves?: { move: string; answer?: string; by?: string }[];
  over?: boolean;
  certificate?: { id: string; positions: number; checksum?: string };
  line?: string[];
  score_before?: number;
  score_after?: number;
  cost?: number;
  says?: string;
}

export interface Certificate {
  id: string;
  valid: boolean;
  size: string;
  position: string;
  to_play: string;
  winner: string;
  positions: number;
  reason?: string;
}

export interface Region {
  points: string[];
  title?: string;
  outcome?: string;
  canonical?: string;
  mean?: string | number;
  temperature?: string | number;
  low?: string | number;
  high?: string | number;
  thermograph?: { left: [number, number][]; right: [number, number][] };
  text?: string;
}

export interface LearnAnswer {
  regions: Region[] | null;
  sum?: { outcome?: string; canonical?: string; text?: string };
  says?: string;
}

export interface Cell {
  row: string | number;
  col: string | number;
  winner?: string;
  score?: number;
  published?: boolean;
  question?: Question;
  command?: string;
  certificate_sha256?: string;
  positions?: number;
}

export interface ResultsAnswer {
  tables: { title: string; note?: string; rows: (string | number)[]; cols: (string | number)[]; cells: Cell[] }[];
}

export interface ClusterWorker {
  name: string;
  job?: string;
  about?: string; // what the job is about
  elsewhere?: boolean; // the job is another search's
  jobs: number;
  rate: number;
  silent: number; // seconds
}

export interface ClusterSearch {
  search: string;
  question: string;
  phase: "search" | "proof" | "list" | "verify" | "table" | "strips";
  state: "running" | "silent" | "done";
  silent_seconds: number;
  seconds: number;
  nodes: number;
  rate: number;
  jobs: number;
  out: number;
  facts: number;
  position?: string;
  to_play?: "black" | "white";
  moves?: { move: string; winner?: "black" | "white" }[];
  winner?: "black" | "white";
  positions?: number;
  decided?: number;
  line?: string;
  part: number;
  whole: number;
  layer?: string;
  epoch?: number;
  banned?: string[];
  workers: ClusterWorker[] | null;
}

export interface ClusterNews {
  searches: ClusterSearch[];
  problem?: string;
}

// Refused is an answer that says what is wrong with the question, and where.
export class Refused extends Error {
  constructor(
    message: string,
    readonly location: string,
    readonly status: number,
    readonly retryAfter: number,
  ) {
    super(message);
  }
}

// Gone means that nobody answered.
export class Gone extends Error {}

const API = "api/v1/";

async function refused(response: Response): Promise<Refused> {
  let message = text.refused(response.status);
  let location = "";
  try {
    const problem = await response.json();
    const first = problem.errors?.[0];
    message = first?.message ?? problem.detail ?? message;
    location = first?.location ?? "";
  } catch {
    // a proxy's page: its status says enough
  }
  return new Refused(message, location, response.status, Number(response.headers.get("Retry-After") ?? 0));
}

export async function ask(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (e) {
    if (init?.signal?.aborted) throw e;
    throw new Gone();
  }
  if (!response.ok) throw await refused(response);
  return response;
}

export async function get<T>(call: string, signal?: AbortSignal): Promise<T> {
  return (await ask(API + call, { signal })).json();
}

export async function post<T>(call: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await send(call, JSON.stringify(body), "application/json", signal)).json();
}

export const send = (call: string, body: BodyInit, type: string, signal?: AbortSignal) =>
  ask(API + call, { method: "POST", headers: { "Content-Type": type }, body, signal });

export interface Event {
  name: string;
  data: unknown;
}

// events reads server-sent events, also out of the answer to a POST, which EventSource cannot.
export async function events(call: string, body: unknown, signal: AbortSignal, each: (e: Event) => void): Promise<void> {
  const response = await (body === undefined ? ask(API + call, { signal }) : send(call, JSON.stringify(body), "application/json", signal));
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  for (;;) {
    let chunk;
    try {
      chunk = await reader.read();
    } catch (e) {
      if (signal.aborted) throw e;
      throw new Gone();
    }
    if (chunk.done) return;
    buffer += chunk.value.replaceAll("\r\n", "\n");
    for (let end = buffer.indexOf("\n\n"); end >= 0; end = buffer.indexOf("\n\n")) {
      const event = parse(buffer.slice(0, end));
      buffer = buffer.slice(end + 2);
      if (event) each(event);
    }
  }
}

function parse(block: string): Event | undefined {
  let name = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  return data.length ? { name, data: JSON.parse(data.join("\n")) } : undefined;
}

export const alive = () =>
  fetch("healthz", { cache: "no-store" }).then(
    (r) => r.ok,
    () => false,
  );
