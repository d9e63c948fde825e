// Asking the server. The shapes of questions and answers are those of api.ts, which is
// made from the server's own description.

import type { components, paths } from "./api.js";

type Schemas = components["schemas"];

export type Colour = "b" | "w";
export type Side = "black" | "white";

// Question is narrower than what the server understands: the page writes colours one way.
export type Question = Omit<Schemas["Question"], "to_play" | "moves"> & { to_play?: Colour; moves?: string[] };

// Endless is what a game of Go without end counts under basic ko, for Black.
export type Endless = "draw" | "lose" | "win";
export const ENDLESS: readonly Endless[] = ["draw", "lose", "win"];

export type About = Schemas["About"];
export type Position = Schemas["Standing"];
export type Result = Schemas["Result"];
export type Finding = Schemas["Finding"];
export type News = Partial<Omit<Schemas["Done"], "known"> & Schemas["Update"]>;
export type Worth = Schemas["Worth"];
export type Judged = Schemas["Judged"];
export type Reviewed = Schemas["Reviewed"];
export type WhyAnswer = Schemas["Why"];
export type Certificate = Schemas["Verdict"];
export type Region = Schemas["Region"];
export type LearnAnswer = Schemas["Learned"];
export type SgfRecord = Schemas["Record"];
export type Branch = Schemas["Branch"];
export type Cell = Schemas["ResultCell"];
export type ResultsAnswer = Schemas["ResultsOutputBody"];
export type PapersAnswer = Schemas["PapersOutputBody"];
export type ClusterNews = Schemas["News"];
export type ClusterSearch = Schemas["ClusterSearch"];
export type ClusterWorker = Schemas["WorkerStatus"];

// Refused is an answer that says what is wrong with the question, and where.
export class Refused extends Error {
  constructor(
    message: string,
    readonly location: string,
    readonly status: number,
    readonly retryAfter = 0,
    readonly code = "",
    readonly value = "",
  ) {
    super(message);
  }
}

// Gone means that nobody answered.
export class Gone extends Error {}

const API = "api/v1/";
const CODE = "tengen:"; // begins the type of a problem that has a code

// The calls, by what the server's description says of them.
type Name<P> = P extends `/api/v1/${infer C}` ? C : never;
type Call = Name<keyof paths>;
type Of<C extends Call, M extends "get" | "post"> = paths[`/api/v1/${C}`][M];
type Json<T> = T extends { content: { "application/json": infer B } } ? B : never;
type Answer<O> = O extends { responses: { 200: infer R } } ? Json<R> : never;
type Body<O> = O extends { requestBody: infer B } ? Json<B> : never;
type Event<O> = O extends { responses: { 200: { content: { "text/event-stream": (infer E)[] } } } } ? E : never;

async function refused(response: Response): Promise<Refused> {
  let message = "";
  let location = "";
  let code = "";
  let value = "";
  try {
    const problem = (await response.json()) as Schemas["ErrorModel"];
    const first = problem.errors?.[0];
    message = first?.message ?? problem.detail ?? "";
    location = first?.location ?? "";
    code = problem.type?.startsWith(CODE) ? problem.type.slice(CODE.length) : "";
    value = typeof first?.value === "string" ? first.value : "";
  } catch {
    // a proxy's page: its status says enough
  }
  return new Refused(message, location, response.status, Number(response.headers.get("Retry-After") ?? 0), code, value);
}

// The library of the npm package has no server: through gives it the program instead.
type Fetch = (path: string, init?: RequestInit) => Promise<Response>;
let reach: Fetch = (path, init) => fetch(path, init);
export const through = (other: Fetch) => void (reach = other);

async function ask(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await reach(path, init);
  } catch (e) {
    if (init?.signal?.aborted) throw e;
    throw new Gone();
  }
  if (response.status === 502 || response.status === 504) throw new Gone(); // a proxy: nobody answers behind it
  if (!response.ok) throw await refused(response);
  return response;
}

export async function get<C extends Call>(call: C, signal?: AbortSignal): Promise<Answer<Of<C, "get">>> {
  return (await ask(API + call, { signal })).json();
}

export async function post<C extends Call>(call: C, body: Body<Of<C, "post">>, signal?: AbortSignal): Promise<Answer<Of<C, "post">>> {
  return (await send(call, JSON.stringify(body), "application/json", signal)).json();
}

export const send = (call: Call, body: BodyInit, type: string, signal?: AbortSignal) =>
  ask(API + call, { method: "POST", headers: { "Content-Type": type }, body, signal });

// events reads server-sent events out of the answer to a POST, which EventSource cannot.
export async function events<C extends Call>(call: C, body: Body<Of<C, "post">>, signal: AbortSignal, each: (e: Event<Of<C, "post">>) => void): Promise<void> {
  for await (const e of stream(call, body, signal)) {
    const news = e as { event: string; data: { code?: string } };
    if (news.event === "problem" && news.data.code === "stopping") throw new Gone(); // the server says goodbye
    each(e);
  }
}

// stream is the same to iterate over. Who leaves the loop cancels the work.
export async function* stream<C extends Call>(call: C, body: Body<Of<C, "post">>, signal?: AbortSignal): AsyncGenerator<Event<Of<C, "post">>> {
  yield* read(await send(call, JSON.stringify(body), "application/json", signal), signal) as AsyncGenerator<Event<Of<C, "post">>>;
}

// follow reads those of a GET.
export async function follow<C extends Call>(call: C, signal: AbortSignal, each: (e: Event<Of<C, "get">>) => void): Promise<void> {
  for await (const e of read(await ask(API + call, { signal }), signal)) each(e as Event<Of<C, "get">>);
}

interface Parsed {
  event: string;
  data: unknown;
}

async function* read(response: Response, signal?: AbortSignal): AsyncGenerator<Parsed> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const split = splitter();
  try {
    for (;;) {
      let chunk;
      try {
        chunk = await reader.read();
      } catch (e) {
        if (signal?.aborted) throw e;
        throw new Gone();
      }
      if (chunk.done) return;
      yield* split(chunk.value);
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

// splitter makes events of the pieces in which a stream arrives.
export function splitter(): (piece: string) => Parsed[] {
  let buffer = "";
  return (piece) => {
    buffer = (buffer + piece).replaceAll("\r\n", "\n");
    const blocks = buffer.split("\n\n");
    buffer = blocks.pop()!;
    return blocks.flatMap(parse);
  };
}

function parse(block: string): Parsed[] {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  return data.length ? [{ event, data: JSON.parse(data.join("\n")) }] : [];
}

export const alive = () =>
  fetch("healthz", { cache: "no-store" }).then(
    (r) => r.ok,
    () => false,
  );
