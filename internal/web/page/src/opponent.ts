// Who can be played against on a board. A choice is "perfect", a level such as "5", or the
// name of a program.

import { type About, type Colour, type Finding, type Position, type Question } from "./server";
import { text } from "./strings";

const PROGRAMS = ["net", "mcts", "value", "uct"];
const SEARCH = "search";
const isLevel = (choice: string) => /^\d+$/.test(choice);

export interface Choices {
  perfect: boolean;
  levels: number[];
  programs: string[];
}

// choices are those that exist for the game and the board. The perfect player of Go is
// the highest level. On boards that no table holds there is only a search.
export function choices(game: string, players: Position["players"], levels: readonly number[], strongest?: string): Choices {
  const has = players ?? [];
  if (game === "go" && strongest === SEARCH) return { perfect: false, levels: [], programs: [SEARCH] };
  if (game === "go") return { perfect: true, levels: levels.slice(0, -1), programs: [] };
  return { perfect: has.includes("perfect"), levels: [...levels], programs: PROGRAMS.filter((p) => has.includes(p)) };
}

// settle is a choice that exists: the one that was made, else the nearest to it.
export function settle(choice: string, c: Choices): string {
  if (choice === "perfect" ? c.perfect : isLevel(choice) ? c.levels.includes(Number(choice)) : c.programs.includes(choice)) return choice;
  if (!c.levels.length) return c.programs[0];
  if (choice !== "perfect" && c.perfect && Number(choice) > Math.max(...c.levels)) return "perfect";
  return String(isLevel(choice) ? 5 : Math.max(...c.levels));
}

// asked is how the server is asked for the opponent's move.
export function asked(choice: string, q: Question, levels: readonly number[]): { player: string; level: number } {
  const most = Math.max(...levels);
  if (choice === SEARCH) return { player: "auto", level: most };
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

// slipping is how a level of Go chooses among moves whose scores are known: the chance of a
// best one, and the points that it gives away on average. The server draws by the same
// weights.
export function slipping(slip: number, moves: Iterable<Finding>, toPlay: Colour): { best: number; lost: number } | undefined {
  const scores = [...moves].map((f) => (f.grade === "exact" && f.score !== undefined ? (toPlay === "b" ? f.score : -f.score) : NaN));
  const top = Math.max(...scores);
  if (!scores.length || Number.isNaN(top)) return undefined;
  const weights = scores.map((s) => Math.exp((s - top) / slip));
  const sum = weights.reduce((a, b) => a + b, 0);
  const mean = (value: (lost: number) => number) => weights.reduce((a, w, i) => a + w * value(top - scores[i]), 0) / sum;
  return { best: mean((lost) => (lost === 0 ? 1 : 0)), lost: mean((lost) => lost) };
}

// meansHere says what a level is on this board: what it sees, and how it did in matches.
export function meansHere(choice: string, position: Position, about: About | undefined, first?: Iterable<Finding>): string {
  const s = about?.strengths?.find((x) => String(x.level) === choice);
  if (!s) return "";
  if (position.game === "go") {
    if (!s.slip) return "";
    const chosen = first && slipping(s.slip, first, "b");
    return chosen ? text.slipsHere(text.percent(chosen.best), text.number(Math.round(chosen.lost * 10) / 10)) : text.slipsPoint(text.percent(Math.exp(-1 / s.slip)));
  }
  const says: string[] = [];
  if (!s.evaluations) says.push(position.strongest === "perfect" ? text.perfectHere : text.strongestHere(text.playerNames[position.strongest ?? ""] ?? ""));
  else says.push(position.players?.includes("net") ? text.looksAt(s.evaluations) : text.playsOut(s.playouts ?? 0));
  if (s.games) says.push(text.ladder(s.level - 1, s.won ?? 0, s.games));
  return says.join(" ");
}

export const levelTitle = (level: number, levels: readonly number[]) =>
  text.levelName(level, text.levelNames[Math.round(((level - 1) * (text.levelNames.length - 1)) / Math.max(1, levels.length - 1))] ?? "");
