// A game on the page: where it begins, the tree of what was tried, and the place in it.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Branch, type Endless, post, type Position, type Question } from "./server";
import { failure, type Problem, useConnection, useRetry } from "./connection";
import { tab } from "./kept";
import { remember } from "./last";
import { diagram, emptySigns, other, parseDiagram, parseSize, type Signs, sizeName, type Turn, turnedName, turnedSigns, turnedSize } from "./points";

export interface Node {
  move: string; // "" at the top
  parent?: Node;
  children: Node[];
  next?: Node; // the child that redo goes to
}

export const path = (node: Node): Node[] => (node.parent ? [...path(node.parent), node] : []);
export const movesTo = (node: Node): string[] => path(node).map((n) => n.move);
const following = (node: Node): Node | undefined => node.next ?? node.children[0];

export function endOf(node: Node): Node {
  let last = node;
  for (let next = following(last); next; next = following(last)) last = next;
  return last;
}

// linesOf are all lines of a tree, each from the top to its end.
export function linesOf(top: Node): string[][] {
  if (!top.children.length) return top.parent ? [movesTo(top)] : [];
  return top.children.flatMap(linesOf);
}

export function grow(top: Node, moves: readonly string[]): Node {
  let here = top;
  for (const move of moves) {
    let child = here.children.find((c) => c.move === move);
    if (!child) here.children.push((child = { move, parent: here, children: [] }));
    here.next = child;
    here = child;
  }
  return here;
}

// branchesOf is a tree as the API has it: a list, each move with the place of the one
// before it, -1 at the top.
export function branchesOf(top: Node): Branch[] {
  const list: Branch[] = [];
  const walk = (node: Node, parent: number) => {
    for (const child of node.children) walk(child, list.push({ parent, move: child.move }) - 1);
  };
  walk(top, -1);
  return list;
}

export function linesOfBranches(list: readonly Branch[]): string[][] {
  const lines: string[][] = [];
  for (const { parent, move } of list) lines.push([...(lines[parent] ?? []), move]);
  return lines;
}

export function treeOf(moves: readonly string[] = [], lines: readonly string[][] = []): { top: Node; here: Node } {
  const top: Node = { move: "", children: [] };
  for (const line of lines) grow(top, line);
  return { top, here: grow(top, moves) };
}

// Opened is what a game record says beside its moves.
export interface Opened {
  game: string; // the one that its rules name, or Go
  black?: string;
  white?: string;
  name?: string;
  result?: string;
  komi?: number;
  games?: number; // in its file, if there is more than this one
}

export interface Game {
  start: Question; // without moves
  opened?: Opened; // the record that was opened
  top: Node;
  here: Node;
  question: Question; // start and the moves to here
  lines: string[][]; // the whole tree
  endless: Endless;
  position?: Position; // as far as it is known
  fresh: boolean; // position is that of question, not yet the one before
  signs: Signs;
  problem?: Problem;
  entry: number; // grows with every change that Back takes back
  load(q: Question, lines?: string[][], opened?: Opened): void;
  readAs(game: string): void; // the same moves by the rules of another game
  follow(q: Question, lines?: string[][]): void; // as an address says; the tree of the same game stays
  play(...moves: string[]): void;
  answer(move: string): void; // of the opponent: Back takes it back together with the move before it
  choose(move: string): void; // plays it if it is legal, as soon as that is known
  go(node: Node): void;
  undo(steps?: number): void;
  redo(): void;
  forget(): void; // the branch that begins here
  turn(t: Turn): void;
  swap(): void;
  edit(change: Partial<Question>): void;
  setEndless(e: Endless): void;
  again(): void; // asks the server for the position once more
}

const asked = new Map<string, Position>();

// A reload keeps what the record says; its moves are in the address.
function restored(key: string): Opened | undefined {
  try {
    const kept = JSON.parse(tab.read("record") ?? "{}") as { key?: string; opened?: Opened };
    return kept.key === key ? kept.opened : undefined;
  } catch {
    return undefined; // not written by this page
  }
}

// keyOf is the same however the address or a record writes a question: Black begins if nobody is named.
export const keyOf = (q: Question) => JSON.stringify([q.game, q.rules, q.size, q.position, q.to_play === "w", q.ko, q.passed, q.moves]);

function withoutMoves(q: Question): Question {
  const { moves: _, ...start } = q;
  return start;
}

// startOf is the key of where a game begins.
export const startOf = (q: Question) => keyOf(withoutMoves(q));

export function useGame(first: Question, lines: string[][] = [], firstEndless: Endless = "draw"): Game {
  const [start, setStart] = useState<Question>(() => withoutMoves(first));
  const tree = useRef<{ top: Node; here: Node }>(null as never);
  tree.current ??= treeOf(first.moves, lines);
  const entry = useRef(0);
  const [opened, setOpened] = useState(() => restored(startOf(first)));
  useEffect(() => tab.write("record", JSON.stringify(opened ? { key: startOf(start), opened } : {})), [opened, start]);
  const [endless, setEndless] = useState<Endless>(firstEndless);
  const [version, refresh] = useState(0);
  const changed = () => refresh((n) => n + 1);
  const { top, here } = tree.current;

  const question = useMemo<Question>(() => {
    const moves = movesTo(here);
    return moves.length ? { ...start, moves } : start;
  }, [start, here, version]);

  const key = keyOf(question);
  const { epoch } = useConnection();
  const [last, setLast] = useState<{ key: string; position?: Position }>();
  const [problem, setProblem] = useState<Problem>();
  const [run, setRun] = useState(0);
  useEffect(() => {
    const known = asked.get(key);
    setProblem(undefined);
    if (known) {
      setLast({ key, position: known });
      return;
    }
    const stop = new AbortController();
    post("position", question, stop.signal).then(
      (p) => {
        if (asked.size > 500) asked.clear();
        asked.set(key, p);
        setLast({ key, position: p });
      },
      (e) => {
        if (stop.signal.aborted) return;
        setProblem(failure(e));
      },
    );
    return () => stop.abort();
  }, [key, epoch, run]);
  const again = () => setRun((n) => n + 1);
  useRetry(problem, again);

  const load = useCallback((q: Question, lines?: string[][], record?: Opened) => {
    tree.current = treeOf(q.moves, lines);
    entry.current++;
    setStart(withoutMoves(q));
    setOpened(record);
    changed();
  }, []);
  const readAs = (name: string) => load({ ...question, game: name, rules: name === "go" ? "basic" : undefined }, linesOf(top), opened);
  const follow = (q: Question, lines: string[][] = []) => {
    if (startOf(q) !== startOf(start)) {
      tree.current = treeOf(q.moves, lines);
      setStart(withoutMoves(q));
      setOpened(undefined);
    } else {
      for (const line of lines) grow(tree.current.top, line);
      tree.current.here = grow(tree.current.top, q.moves ?? []);
    }
    changed();
  };
  const go = (node: Node) => {
    for (let n: Node | undefined = node; n?.parent; n = n.parent) n.parent.next = n;
    tree.current.here = node;
    changed();
  };
  const answer = (...moves: string[]) => go(grow(tree.current.here, moves));
  const play = (...moves: string[]) => {
    entry.current++;
    if (!start.position && !opened) remember(start);
    answer(...moves);
  };
  const undo = (steps = 1) => {
    let node = tree.current.here;
    while (steps-- > 0 && node.parent) node = node.parent;
    tree.current.here = node;
    changed();
  };
  const redo = () => {
    const next = following(tree.current.here);
    if (next) go(next);
  };
  const forget = () => {
    const { here } = tree.current;
    if (!here.parent) return;
    here.parent.children = here.parent.children.filter((c) => c !== here);
    if (here.parent.next === here) here.parent.next = undefined;
    go(here.parent);
  };

  // The position before stays on the board until the next one is known, or known to be none.
  const current = asked.get(key) ?? last?.position;
  const fresh = !problem && (asked.has(key) || (last?.key === key && !!last.position));
  const none = problem?.kind === "input" || problem?.kind === "limit";
  const shown = !none && current ? parseDiagram(current.position) : undefined;
  const signs = shown ?? (start.position && /^[xo.bwXO/]+$/.test(start.position) ? parseDiagram(start.position) : emptySigns(parseSize(start.size ?? "") ?? { rows: 4, cols: 4 }));

  const legal = fresh ? current?.legal : undefined;
  const [wish, setWish] = useState<{ key: string; move: string }>();
  const choose = (move: string) => {
    if (!legal) setWish({ key, move });
    else if (legal.includes(move)) play(move);
  };
  useEffect(() => {
    if (!wish || (wish.key === key && !legal)) return;
    setWish(undefined);
    if (wish.key === key && legal?.includes(wish.move)) play(wish.move);
  }, [wish, key, legal]);

  // A board that is turned keeps its game: every move of the tree turns with it.
  const turn = (t: Turn) => {
    // Not by what is on the board: that is the position before until the server has answered.
    const first = start.position && parseDiagram(start.position);
    const from = first ? { rows: first.length, cols: first[0].length } : (parseSize(start.size ?? "") ?? { rows: signs.length, cols: signs[0].length });
    const each = (n: Node) => {
      n.move = n.move && turnedName(t, from, n.move);
      n.children.forEach(each);
    };
    each(top);
    setStart({
      ...start,
      size: sizeName(turnedSize(t, from)),
      position: start.position && diagram(turnedSigns(t, from, parseDiagram(start.position))),
      ko: start.ko && turnedName(t, from, start.ko),
    });
    changed();
  };
  const swap = () => {
    setStart({
      ...start,
      position: start.position && diagram(parseDiagram(start.position).map((r) => r.map((s) => -s as 0 | 1 | -1))),
      to_play: other(start.to_play ?? "b"),
    });
    setOpened(undefined); // its players and its result are those of the other colours
  };
  const edit = (change: Partial<Question>) => load({ ...start, ...change, moves: undefined });

  return {
    start, opened, top, here, question, lines: linesOf(top), endless, position: problem ? undefined : current, fresh, signs, problem, entry: entry.current,
    load, readAs, follow, play, answer, choose, go, undo, redo, forget, turn, swap, edit, setEndless, again,
  };
}
