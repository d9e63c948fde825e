// The game and the board that the visitor last played on, kept for the next visit.

import { kept } from "./kept";
import { parseSize } from "./points";
import { type Question } from "./server";

export function remember({ game, rules, size }: Question) {
  kept.write("last", JSON.stringify({ game, rules, size }));
}

// lastPlayed is an empty board, or undefined at the first visit.
export function lastPlayed(): Question | undefined {
  try {
    const { game, rules, size } = JSON.parse(kept.read("last") ?? "{}") as Partial<Question>;
    if (!size || !parseSize(size)) return undefined;
    if (game === "nogo") return { game, size };
    if (game === "go" && rules) return { game, rules, size };
  } catch {
    // not written by this page
  }
  return undefined;
}
