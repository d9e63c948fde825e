// A game on the page: where it begins, the tree of what was tried, and the place in it.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { post, type Position, type Question } from "./api";
import { failure, type Problem, useConnection } from "./connection";
import { diagram, emptySigns, other, parseDiagram, parseSize, type Signs, sizeName, type Turn, turnedName, turnedSigns, turnedSize } from "./points";

export interface Node {
  move: string; // "" at the top
  parent?: Node;
  children: Node[];
  next?: Node; // the child that redo goes to
}

export const path = (node: Node): Node[] => (node.parent ? [...path(node.parent), node] : []);
export const movesTo = (node: Node): string[] => path(node).map((n) => n.move);

function grow(top: Node, moves: readonly string[]): Node {
  let here = top;
  for (const move of moves) {
    let child = here.children.find((c) => c.move === move);
    if (!child) here.children.push((child = { move, parent: here, children: [] }));
    here.next = child;
    here = child;
  }
  return here;
}

export interface Game {
  start: Question; // without moves
  top: Node;
  here: Node;
  question: Question; // start and the moves to here
  position?: Position; // as far as it is known
  fresh: boolean; // position is that of question, not yet the one before
  signs: Signs;
  problem?: Problem;
  load(q: Question): void;
  play(...moves: string[]): void;
  go(node: Node): void;
  undo(steps?: number): void;
  redo(): void;
  forget(): void; // the branch that begins here
  turn(t: Turn): void;
  swap(): void;
  edit(change: Partial<Question>): void;
}

const asked = new Map<string, Position>();

export const keyOf = (q: Question) => JSON.stringify([q.game, q.rules, q.size, q.position, q.to_play, q.ko, q.passed, q.moves]);

function withoutMoves(q: Question): Question {
  const { moves: _, ...start } = q;
  return start;
}

export function useGame(first: Question): Game {
  const [start, setStart] = useState<Question>(() => withoutMoves(first));
  const tree = useRef<{ top: Node; here: Node }>(null as never);
  if (!tree.current) {
    const top: Node = { move: "", children: [] };
    tree.current = { top, here: grow(top, first.moves ?? []) };
  }
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
  useEffect(() => {
    const known = asked.get(key);
    setProblem(undefined);
    if (known) {
      setLast({ key, position: known });
      return;
    }
    const stop = new AbortController();
    post<Position>("position", question, stop.signal).then(
      (p) => {
        if (asked.size > 500) asked.clear();
        asked.set(key, p);
        setLast({ key, position: p });
      },
      (e) => {
        if (stop.signal.aborted) return;
        setLast({ key });
        setProblem(failure(e));
      },
    );
    return () => stop.abort();
  }, [key, epoch]);

  const load = useCallback((q: Question) => {
    const top: Node = { move: "", children: [] };
    tree.current = { top, here: grow(top, q.moves ?? []) };
    setStart(withoutMoves(q));
    changed();
  }, []);
  const go = (node: Node) => {
    for (let n: Node | undefined = node; n?.parent; n = n.parent) n.parent.next = n;
    tree.current.here = node;
    changed();
  };
  const play = (...moves: string[]) => go(grow(tree.current.here, moves));
  const undo = (steps = 1) => {
    let node = tree.current.here;
    while (steps-- > 0 && node.parent) node = node.parent;
    tree.current.here = node;
    changed();
  };
  const redo = () => {
    const { here } = tree.current;
    const next = here.next ?? here.children[0];
    if (next) go(next);
  };
  const forget = () => {
    const { here } = tree.current;
    if (!here.parent) return;
    here.parent.children = here.parent.children.filter((c) => c !== here);
    if (here.parent.next === here) here.parent.next = undefined;
    go(here.parent);
  };

  // The position before stays on the board until the next one is known.
  const current = asked.get(key) ?? last?.position;
  const fresh = !problem && (asked.has(key) || (last?.key === key && !!last.position));
  const shown = !problem && current ? parseDiagram(current.position) : undefined;
  const signs = shown ?? (start.position && /^[xo.bwXO/]+$/.test(start.position) ? parseDiagram(start.position) : emptySigns(parseSize(start.size ?? "") ?? { rows: 4, cols: 4 }));

  // A board that is turned keeps its game: every move of the tree turns with it.
  const turn = (t: Turn) => {
    const from = { rows: signs.length, cols: signs[0].length };
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
  const swap = () =>
    setStart({
      ...start,
      position: start.position && diagram(parseDiagram(start.position).map((r) => r.map((s) => -s as 0 | 1 | -1))),
      to_play: other(start.to_play ?? "b"),
    });
  const edit = (change: Partial<Question>) => load({ ...start, ...change, moves: undefined });

  return { start, top, here, question, position: problem ? undefined : current, fresh, signs, problem, load, play, go, undo, redo, forget, turn, swap, edit };
}
