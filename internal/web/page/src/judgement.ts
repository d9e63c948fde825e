// What findings mean for who is to play: signs for the board, words for the column.

import { type Colour, type Finding, type Position, type Question, type Result, type Side, type Worth } from "./server";
import { type Analysis } from "./analysis";
import { text } from "./strings";

export type Kind = "good" | "poor" | "bad" | "guess" | "lead" | "open";
export interface Mark {
  kind: Kind | `region${number}` | "played" | "better";
  text: string;
  says?: string; // for those who do not see the board
}

export const colourOf = (toPlay: Colour): Side => (toPlay === "b" ? "black" : "white");

// points is the one way to write a score, as players do: B+2, W+16, 0.
export const points = (score: number) => (score === 0 ? "0" : (score > 0 ? "B+" : "W+") + Math.abs(score));

// DEPENDS marks a score that depends on the rule for endless games.
export const DEPENDS = "↻";

// ranged says that the score depends on the rule for endless games.
export const ranged = (f: Finding) => f.lo !== undefined && f.hi !== undefined && f.lo !== f.hi;

// forMover is a Go score as who is to play counts it.
const forMover = (score: number, toPlay: Colour) => (toPlay === "b" ? score : -score);

// markOf is how a move looks on the board.
export function markOf(f: Finding, toPlay: Colour, best?: number): Mark {
  if (f.grade === "exact" && f.winner) {
    const wins = f.winner === colourOf(toPlay);
    return { kind: wins ? "good" : "bad", text: wins ? "✓" : "✗", says: wins ? text.wins : text.loses };
  }
  if (f.grade === "exact" && f.score !== undefined) {
    const mine = forMover(f.score, toPlay);
    const top = best === undefined ? mine : forMover(best, toPlay);
    return { kind: mine >= top ? "good" : Math.sign(mine) < Math.sign(top) ? "bad" : "poor", text: points(f.score) + (ranged(f) ? DEPENDS : ""), says: text.byScore(f.score) + (ranged(f) ? `, ${text.rangeOf(points(f.lo!), points(f.hi!))}` : "") };
  }
  if (f.grade === "bounded" && f.lo !== undefined && f.hi !== undefined)
    return { kind: "guess", text: "?", says: text.between(points(f.lo), points(f.hi)) };
  // An estimate never reads as certainty. A mark has room for two digits, as in the terminal.
  if (f.grade === "estimated" && f.win_share !== undefined)
    return { kind: "guess", text: text.percent(Math.min(Math.max(f.win_share, 0.01), 0.99)), says: text.estimated(f.win_share) };
  return { kind: "open", text: "·", says: text.notKnown };
}

// marksOf are all moves on the board. Of estimates the one to play stands out.
export function marksOf(a: Pick<Analysis, "moves" | "best">, toPlay: Colour): Map<string, Mark> {
  const marks = new Map<string, Mark>();
  for (const [move, f] of a.moves) {
    const mark = markOf(f, toPlay, a.best?.score);
    marks.set(move, mark.kind === "guess" && f.grade === "estimated" && move === a.best?.move ? { ...mark, kind: "lead" } : mark);
  }
  return marks;
}

// inOrder sorts moves the best first: proven wins, estimates (where the tree search looked
// most comes first, as it is what it would play), unknown, proven losses.
export function inOrder(moves: Iterable<Finding>, toPlay: Colour): Finding[] {
  const worth = (f: Finding) => {
    if (f.grade === "exact" && f.winner) return f.winner === colourOf(toPlay) ? 1000 : -1000;
    if (f.grade === "exact" && f.score !== undefined) return forMover(f.score, toPlay) - (f.length ?? 0) / 1e4;
    return f.grade === "estimated" ? 0 : -0.5;
  };
  return [...moves].sort((a, b) => worth(b) - worth(a) || (b.visits ?? 0) - (a.visits ?? 0) || (b.win_share ?? 0) - (a.win_share ?? 0));
}

// verdict is the result of a position in one sentence.
export function verdict(position: Position, a: Analysis): string {
  if (position.over) return endSays(position.result);
  const best = a.best;
  const mover = colourOf(position.to_play);
  if (best?.grade === "exact" && best.winner) {
    if (best.winner !== mover) return text.allLose(mover);
    const exact = [...a.moves.values()].filter((f) => f.grade === "exact");
    const wins = exact.filter((f) => f.winner === mover).length;
    return text.moverWins(mover, wins, (position.legal?.length ?? 0), (position.legal?.length ?? 0) - exact.length, best.move);
  }
  if (best?.grade === "exact" && best.score !== undefined) return text.scoreWithBestPlay(points(best.score), best.move);
  if (best?.grade === "bounded" && best.lo !== undefined && best.hi !== undefined) return text.scoreBetween(points(best.lo), points(best.hi));
  if (best?.grade === "estimated" && best.win_share !== undefined) return text.undecided(mover, text.estimated(best.win_share), best.move);
  if (a.built !== undefined) return text.building(text.percent(a.built));
  if (a.status === "running" && (a.elapsed ?? 0) > 1) return text.searching;
  return a.status === "done" || a.status === "stopped" || a.status === "refused" ? text.unsettled : text.solving;
}

// endSays is how a game ended.
export function endSays(result?: Result): string {
  if (!result) return text.over;
  if (result.winner === "none") return text.drawn;
  return result.score === undefined ? text.ended(result.winner) : text.endedBy(result.winner, points(result.score));
}

// worthSays is the result of a position in the shortest words: B+1, B for a win of Black,
// or the share of wins of Black.
export function worthSays(w: Worth): string {
  if (w.grade === "exact") return w.score !== undefined ? points(w.score) : winnerLetter(w.winner);
  if (w.grade === "bounded" && w.lo !== undefined && w.hi !== undefined) return `${points(w.lo)} … ${points(w.hi)}`;
  return w.share !== undefined ? `B ${text.chance(w.share)}` : "?";
}

export const winnerLetter = (winner?: string) => (winner === "black" ? "B" : winner === "white" ? "W" : "0");

// boardName is what a board is called, such as NoGo 5×5. Rules that are not the usual ones
// belong to it.
export function boardName(q: Question, size = q.size ?? ""): string {
  const name = text.boardName(q.game, size.replace("x", "×"));
  return q.game === "go" && q.rules && q.rules !== "basic" ? `${name} (${text.ruleNames[q.rules] ?? q.rules})` : name;
}
