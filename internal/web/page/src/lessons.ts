// Positions of NoGo to learn from. Their titles are in the words of the page.

import type { Question } from "./server";

export const LESSONS: Record<"plane" | "row" | "opposites", Question> = {
  plane: { game: "nogo", position: "x.x.x/o.x.o/xxoo./ooxox/x.xoo", to_play: "w" },
  row: { game: "nogo", position: "..ox..oxx..." },
  opposites: { game: "nogo", position: "..xo../..xo../..xo.." },
};
