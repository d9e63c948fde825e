// The address of a position: everything but the tree of variations is in it.

import { type Question } from "./api";

export const MODES = ["explore", "why", "play", "learn", "results"] as const;
export type Mode = (typeof MODES)[number];

export interface Place {
  mode: Mode;
  question: Question;
  unknown?: string; // a mode that is none
}

export const START: Question = { game: "nogo", size: "3x5" };

export function place(hash: string): Place {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const q = new URLSearchParams(query);
  const known = (MODES as readonly string[]).includes(path);
  const mode = known ? (path as Mode) : "explore";
  const game = q.get("game") ?? START.game;
  const question: Question = { game };
  const rules = q.get("rules");
  if (game === "go") question.rules = rules ?? "basic";
  const position = q.get("position");
  if (position) question.position = position;
  question.size = q.get("size") ?? (position ? undefined : game === "go" ? "4x4" : mode === "play" ? "9x9" : START.size);
  if (q.get("to_play") === "w") question.to_play = "w";
  const ko = q.get("ko");
  if (ko) question.ko = ko;
  if (q.get("passed") === "true") question.passed = true;
  const moves = q.get("moves");
  if (moves) question.moves = moves.split(".").filter(Boolean).slice(0, 1000);
  return { mode, question, unknown: path && !known ? path.slice(0, 40) : undefined };
}

export function link(mode: Mode, question: Question): string {
  const q = new URLSearchParams();
  q.set("game", question.game);
  if (question.game === "go") q.set("rules", question.rules ?? "basic");
  if (question.size) q.set("size", question.size);
  if (question.position) q.set("position", question.position);
  if (question.to_play === "w") q.set("to_play", "w");
  if (question.ko) q.set("ko", question.ko);
  if (question.passed) q.set("passed", "true");
  if (question.moves?.length) q.set("moves", question.moves.join("."));
  return `#/${mode}?${q.toString().replaceAll("%2F", "/")}`;
}
