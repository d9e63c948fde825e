// The library of the npm package: the calls of the API as functions, answered by the program
// in workers. docs/npm.md shows how it is used.

import type { components } from "./api.js";
import { Gone, post, Refused, stream } from "./server.js";

type Schemas = components["schemas"];

export type Finding = Schemas["Finding"];
export type Update = Schemas["Update"];
export type Done = Schemas["Done"];
export type Learned = Schemas["Learned"];
export type Why = Schemas["Why"];
export type Move = Schemas["Move"];

export { Gone, Refused } from "./server.js";

// A question is a position. The game is NoGo unless it is named.
type Of<T extends { game: string }> = Omit<T, "game"> & { game?: "nogo" | "go" };
export type Question = Of<Schemas["Question"]>;
export type AnalyseQuestion = Of<Schemas["AnalyseBody"]>;
export type WhyQuestion = Of<Schemas["WhyBody"]>;
export type PlayQuestion = Of<Schemas["PlayBody"]>;

export interface Options {
  signal?: AbortSignal;
}

const whole = <T extends { game?: string }>(question: T) => ({ ...question, game: question.game ?? "nogo" });

/** What every move is worth, as it is found: moves that have news, and at the end all of them. Leaving the loop stops the search. */
export async function* analyse(question: AnalyseQuestion, { signal }: Options = {}): AsyncGenerator<Update | Done> {
  let ended = false;
  for await (const { event, data } of stream("analyse", whole(question), signal)) {
    if (event === "problem") throw new Refused(data.message, "", 422, 0, data.code);
    ended = event === "done";
    if (event !== "queued") yield data;
  }
  if (!ended) throw new Gone();
}

/** The result of a position with best play. Its grade is "exact" unless the time of an analysis was up. */
export async function solve(question: AnalyseQuestion, options: Options = {}): Promise<Finding> {
  let best: Finding = { grade: "unknown" };
  for await (const news of analyse(question, options)) {
    best = news.best;
    if (best.grade === "exact") break;
  }
  return best;
}

/** The regions of a position of NoGo, their values, and the value of their sum. */
export const value = (question: Question, { signal }: Options = {}): Promise<Learned> => post("learn", whole(question), signal);

/** One step of the proof that a position of NoGo is won, or what a move of Go costs. */
export const why = (question: WhyQuestion, { signal }: Options = {}): Promise<Why> => post("why", whole(question), signal);

/** A move of a player. */
export const play = (question: PlayQuestion, { signal }: Options = {}): Promise<Move> => post("play", whole(question), signal);
