// Who can be played against on a board. A choice is "perfect", a level such as "5", or the
// name of a program.

import { type Position, type Question } from "./server";
import { text } from "./strings";

const PROGRAMS = ["net", "mcts", "value", "uct"];
const isLevel = (choice: string) => /^\d+$/.test(choice);

export interface Choices {
  perfect: boolean;
  levels: number[];
  programs: string[];
}

// choices are those that exist for the game and the board. The perfect player of Go is
// the highest level.
export function choices(game: string, players: Position["players"], levels: readonly number[]): Choices {
  const has = players ?? [];
  if (game === "go") return { perfect: true, levels: levels.slice(0, -1), programs: [] };
  return { perfect: has.includes("perfect"), levels: [...levels], programs: PROGRAMS.filter((p) => has.includes(p)) };
}

// settle is a choice that exists: the one that was made, else the nearest to it.
export function settle(choice: string, c: Choices): string {
  if (choice === "perfect" ? c.perfect : isLevel(choice) ? c.levels.includes(Number(choice)) : c.programs.includes(choice)) return choice;
  if (choice !== "perfect" && c.perfect && Number(choice) > Math.max(...c.levels)) return "perfect";
  return String(isLevel(choice) ? 5 : Math.max(...c.levels));
}

// asked is how the server is asked for the opponent's move.
export function asked(choice: string, q: Question, levels: readonly number[]): { player: string; level: number } {
  const most = Math.max(...levels);
  if (choice === "perfect") return { player: q.game === "go" ? "auto" : "perfect", level: most };
  return isLevel(choice) ? { player: "auto", level: Number(choice) } : { player: choice, level: most };
}

// means says what a choice is on this board.
export function means(choice: string, game: string, levels: readonly number[]): string {
  const go = game === "go";
  if (choice === "perfect") return text.opponentMeans[go ? "perfectGo" : "perfectNoGo"];
  if (!isLevel(choice)) return text.opponentMeans[choice] ?? "";
  if (go) return text.opponentMeans.levelGo;
  return text.opponentMeans[Number(choice) === Math.max(...levels) ? "full" : "level"];
}

export const levelTitle = (level: number, levels: readonly number[]) =>
  text.levelName(level, text.levelNames[Math.round(((level - 1) * (text.levelNames.length - 1)) / Math.max(1, levels.length - 1))] ?? "");
