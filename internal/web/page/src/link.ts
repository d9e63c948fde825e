// The address of a position: its mode, the position, and the tree of what was tried.

import { lastPlayed } from "./last";
import { LESSONS } from "./lessons";
import { ENDLESS, type Endless, type Question } from "./server";

export const MODES = ["start", "explore", "why", "play", "learn", "results", "papers", "cluster"] as const;
export type Mode = (typeof MODES)[number];

export interface Place {
  mode: Mode;
  question: Question;
  lines?: string[][]; // of the tree
  endless: Endless;
  pick?: string; // the move of Go that Why is about
  unknown?: string; // a mode that is none
  torn?: boolean; // the tree could not be read
}

export const START: Question = { game: "nogo", size: "3x5" };
export const PLAY: Question = { game: "nogo", size: "7x7" };
export const FIRST_SIZE: Record<string, string> = { nogo: "3x5", go: "4x4" };

// Learn begins with something to learn from.
const LESSON = LESSONS.row.position;

// A link that is too long is cut by the programs it is sent through.
const LONGEST_TREE = 1500;

// A tree is its lines, joined by "_". Each but the first begins with how many moves it
// shares with the line before it.
export function writeTree(lines: readonly string[][]): string {
  return lines
    .map((line, i) => {
      let shared = 0;
      while (i && shared < line.length && line[shared] === lines[i - 1][shared]) shared++;
      return (i ? [shared, ...line.slice(shared)] : line).join(".");
    })
    .join("_");
}

export function readTree(text: string): string[][] | undefined {
  const lines: string[][] = [];
  for (const part of text.split("_")) {
    const names = part.split(".");
    const before = lines.at(-1);
    const shared = before ? Number(names.shift()) : 0;
    if (!names.length || !names.every((n) => /^([A-Z]+\d+|pass)$/i.test(n)) || !(shared >= 0 && shared <= (before?.length ?? 0))) return undefined;
    lines.push([...(before ?? []).slice(0, shared), ...names]);
  }
  return lines;
}

export function place(hash: string): Place {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const q = new URLSearchParams(query);
  const known = (MODES as readonly string[]).includes(path);
  const mode = known ? (path as Mode) : query ? "explore" : "start";
  const bare = !q.has("game") && !q.has("size") && !q.has("position");
  const last = bare && mode !== "learn" ? lastPlayed() : undefined;
  const game = q.get("game") ?? last?.game ?? START.game;
  const question: Question = { game };
  const rules = q.get("rules") ?? last?.rules;
  if (game === "go") question.rules = rules ?? "basic";
  const position = q.get("position") ?? (mode === "learn" && game === "nogo" && !q.has("size") ? LESSON : null);
  if (position) question.position = position;
  question.size = q.get("size") ?? last?.size ?? (position ? undefined : mode === "play" && game === "nogo" ? PLAY.size : (FIRST_SIZE[game] ?? START.size));
  if (q.get("to_play") === "w") question.to_play = "w";
  const ko = q.get("ko");
  if (ko) question.ko = ko;
  if (q.get("passed") === "true") question.passed = true;
  const moves = q.get("moves");
  if (moves) question.moves = moves.split(".").filter(Boolean).slice(0, 1000);
  const tree = q.get("tree");
  const lines = tree ? readTree(tree) : undefined;
  return {
    mode,
    question,
    lines,
    endless: ENDLESS.find((e) => e === q.get("endless")) ?? "draw",
    pick: mode === "why" ? (q.get("pick") ?? undefined) : undefined,
    unknown: path && !known ? path.slice(0, 40) : undefined,
    torn: !!tree && !lines,
  };
}

export function link(mode: Mode, question: Question, { lines = [], endless = "draw", pick }: { lines?: readonly string[][]; endless?: Endless; pick?: string } = {}): string {
  if (mode === "start") return "#/start";
  const q = new URLSearchParams();
  const moves = question.moves?.join(".") ?? "";
  q.set("game", question.game);
  if (question.game === "go") q.set("rules", question.rules ?? "basic");
  if (endless !== "draw" && question.rules === "basic") q.set("endless", endless);
  if (question.size) q.set("size", question.size);
  if (question.position) q.set("position", question.position);
  if (question.to_play === "w") q.set("to_play", "w");
  if (question.ko) q.set("ko", question.ko);
  if (question.passed) q.set("passed", "true");
  const tree = writeTree(lines);
  if (tree !== moves && tree.length <= LONGEST_TREE) q.set("tree", tree);
  if (moves) q.set("moves", moves);
  if (mode === "why" && pick) q.set("pick", pick);
  return `#/${mode}?${q.toString().replaceAll("%2F", "/")}`;
}
