// The board: shudan draws it, this adds marks, a cursor for the keyboard, words for
// screen readers, and files that are dropped on it.

import { Goban } from "@sabaki/shudan";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { DEPENDS, type Mark } from "./judgement";
import { columnName, type Point, pointName, pointOf, type Signs, type Size } from "./points";
import { type Colour } from "./server";
import { text } from "./strings";

export interface BoardProps {
  signs: Signs;
  marks: Map<string, Mark>;
  steps?: string[]; // a line of play, numbered on the board
  stepsBegin?: Colour;
  last?: string;
  editing?: boolean;
  busy?: boolean;
  watched?: boolean; // nothing can be played on it
  next?: Colour; // whose stone a click places
  legal?: string[]; // where it does
  onPoint?(name: string): void;
  onHover?(name?: string): void;
  onFile?(file: File): void;
  onKey?(key: string): boolean;
}

const SMALLEST = 30; // pixels a finger can hit on a long row, which then scrolls

// What is left and right of the points, as the style sheet has it.
const border = (vertex: number) => 0.2 * vertex + 2 * Math.min(34, Math.max(15, 0.36 * vertex));

function fitting(points: number, pixels: number): number {
  let vertex = Math.floor(pixels / points);
  while (vertex > 1 && vertex * points + border(vertex) > pixels) vertex--;
  return vertex;
}

function useVertexSize({ rows, cols }: Size) {
  const frame = useRef<HTMLDivElement>(null);
  const [vertex, setVertex] = useState(40);
  useLayoutEffect(() => {
    const measure = () => {
      const box = frame.current!;
      const style = getComputedStyle(box);
      const high = parseFloat(style.getPropertyValue("--board-height")) || 70;
      const vertex = Math.min(fitting(cols, box.clientWidth), fitting(rows, (window.innerHeight * high) / 100), window.innerHeight / 6);
      setVertex(Math.floor(Math.max(vertex, rows > 1 && cols < 10 ? 20 : SMALLEST)));
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(frame.current!);
    window.addEventListener("resize", measure);
    return () => {
      watch.disconnect();
      window.removeEventListener("resize", measure);
    };
  }, [rows, cols]);
  return { frame, vertex };
}

export function Board(p: BoardProps) {
  const size = { rows: p.signs.length, cols: p.signs[0].length };
  const { frame, vertex } = useVertexSize(size);
  const [cursor, setCursor] = useState<Point>();
  const [at, setAt] = useState<Point>([Math.floor((size.cols - 1) / 2), Math.floor((size.rows - 1) / 2)]);
  const [drop, setDrop] = useState(false);

  useEffect(() => {
    setAt(([x, y]) => [Math.min(x, size.cols - 1), Math.min(y, size.rows - 1)]);
    setCursor((c) => c && [Math.min(c[0], size.cols - 1), Math.min(c[1], size.rows - 1)]);
  }, [size.rows, size.cols]);

  const move = (dx: number, dy: number) => {
    const next: Point = [Math.max(0, Math.min(size.cols - 1, at[0] + dx)), Math.max(0, Math.min(size.rows - 1, at[1] + dy))];
    setAt(next);
    setCursor(next);
    p.onHover?.(pointName(size, next));
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (steps[e.key]) move(...steps[e.key]);
    else if (e.key === "Enter" || e.key === " ") p.onPoint?.(pointName(size, at));
    else if (!p.onKey?.(e.key)) return;
    e.preventDefault();
  };

  const heat = p.signs.map((row) => row.map(() => null as null | { strength: number; text: string }));
  for (const [name, mark] of p.marks) {
    const v = pointOf(size, name);
    // shudan makes a class of the strength, so a word serves as well as a number
    if (v && (!p.signs[v[1]][v[0]] || mark.kind.startsWith("region"))) heat[v[1]][v[0]] = { strength: mark.kind as never, text: mark.text };
  }
  // Legal points without a mark show under the mouse whose stone would come there.
  if (p.next) {
    for (const name of p.legal ?? []) {
      const v = pointOf(size, name);
      if (v) heat[v[1]][v[0]] ??= { strength: "free" as never, text: "" };
    }
  }
  const ghosts = p.signs.map((row) => row.map(() => null as null | { sign: 1 | -1 }));
  const markers = p.signs.map((row) => row.map(() => null as null | { type: "label" | "circle"; label?: string }));
  if (p.last) {
    const v = pointOf(size, p.last);
    if (v && p.signs[v[1]][v[0]]) markers[v[1]][v[0]] = { type: "circle" };
  }
  p.steps?.forEach((name, i) => {
    const v = pointOf(size, name);
    if (!v || p.signs[v[1]][v[0]] || ghosts[v[1]][v[0]] || p.marks.get(name)?.kind === "played") return;
    const black = (p.stepsBegin === "w") !== (i % 2 === 0);
    ghosts[v[1]][v[0]] = { sign: black ? 1 : -1 };
    const kind = p.marks.get(name)?.kind === "better" ? "better" : black ? "stepb" : "stepw";
    heat[v[1]][v[0]] = { strength: kind as never, text: String(i + 1) };
  });

  // Scores such as W+16 are longer than signs, and have to fit into the same mark.
  const longest = Math.max(0, ...[...p.marks.values()].map(({ text: t }) => t.length + (t.endsWith(DEPENDS) ? 1 : 0)));

  const words = (name: string) => {
    const v = pointOf(size, name);
    if (!v) return ""; // the board has become smaller and the cursor has not followed yet
    const s = p.signs[v[1]][v[0]];
    return text.pointSays(name, text.stones[s > 0 ? "black" : s < 0 ? "white" : "empty"], p.marks.get(name)?.says);
  };
  // shudan draws nine star points from 9×9 on. Below 13×13 players know the four in the
  // corners and the one in the centre, which come first.
  const stars = Math.min(size.rows, size.cols) >= 13 ? "" : size.rows % 2 && size.cols % 2 ? " stars-5" : " stars-4";
  const nameOf = ([x, y]: readonly [number, number]) => pointName(size, [x, y]);

  return (
    <div class="board-frame" ref={frame}>
      <div
        class={`board${stars}${p.editing ? " editing" : ""}${p.watched ? " watched" : ""}${drop ? " drop" : ""}${p.next ? ` next-${p.next}` : ""}${longest > 2 ? " long-marks" : ""}${longest > 4 ? " longer-marks" : ""}`}
        role="application"
        aria-label={text.board(size.rows, size.cols)}
        aria-describedby="board-keys"
        tabIndex={0}
        data-testid="board"
        aria-busy={!!p.busy}
        onKeyDown={onKeyDown}
        onFocus={(e) => (e.currentTarget as HTMLElement).matches(":focus-visible") && setCursor(at)}
        onBlur={() => (setCursor(undefined), p.onHover?.(undefined))}
        onMouseLeave={() => p.onHover?.(undefined)}
        onDragOver={(e) => p.onFile && (e.preventDefault(), setDrop(true))}
        onDragLeave={() => setDrop(false)}
        onDrop={(e) => {
          e.preventDefault();
          setDrop(false);
          const file = e.dataTransfer?.files[0];
          if (file) p.onFile?.(file);
        }}
      >
        <Goban
          innerProps={{ "aria-hidden": "true" } as never}
          vertexSize={vertex}
          signMap={p.signs}
          heatMap={heat as never}
          ghostStoneMap={ghosts as never}
          markerMap={markers as never}
          showCoordinates
          coordX={columnName}
          coordY={(y: number) => size.rows - y}
          selectedVertices={cursor ? [cursor] : []}
          onVertexClick={(_e, v) => {
            setAt([v[0], v[1]]);
            setCursor(undefined);
            p.onPoint?.(nameOf(v));
          }}
          onVertexMouseEnter={(_e, v) => p.onHover?.(nameOf(v))}
        />
      </div>
      <p id="board-keys" class="hidden">{p.watched ? text.boardWatched : text.keys}</p>
      <p class="hidden" aria-live="polite" data-testid="cursor">{cursor ? words(nameOf(cursor)) : ""}</p>
    </div>
  );
}
