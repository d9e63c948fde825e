// Points, sizes and symmetries of a board. No rules: what is legal the server says.

import type { Colour } from "./server";

export type Point = [x: number, y: number]; // from the left and from the top
export interface Size {
  rows: number;
  cols: number;
}

const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

export const other = (c: Colour): Colour => (c === "b" ? "w" : "b");

export const columnName = (x: number) => LETTERS[x % 25].repeat(1 + Math.floor(x / 25));

export const pointName = ({ rows }: Size, [x, y]: Point) => columnName(x) + (rows - y);

export function pointOf({ rows, cols }: Size, name: string): Point | undefined {
  const m = /^([A-HJ-Z])(\1*)(\d+)$/i.exec(name);
  if (!m) return undefined;
  const x = LETTERS.indexOf(m[1].toUpperCase()) + 25 * m[2].length;
  const y = rows - Number(m[3]);
  return x < cols && y >= 0 && y < rows ? [x, y] : undefined;
}

export function parseSize(text: string): Size | undefined {
  const m = /^\s*(\d{1,2})\s*[x×]\s*(\d{1,2})\s*$/i.exec(text);
  if (!m) return undefined;
  const size = { rows: Number(m[1]), cols: Number(m[2]) };
  return size.rows > 0 && size.cols > 0 ? size : undefined;
}

export const sizeName = ({ rows, cols }: Size) => `${rows}x${cols}`;

// A diagram is rows of x, o and . from the top, joined by slashes.
export type Signs = (0 | 1 | -1)[][];

export const emptySigns = ({ rows, cols }: Size): Signs =>
  Array.from({ length: rows }, () => Array.from({ length: cols }, () => 0 as const));

export const parseDiagram = (text: string): Signs =>
  text.split("/").map((row) => [...row].map((c) => ("xXbB".includes(c) ? 1 : "oOwW".includes(c) ? -1 : 0)));

export const diagram = (signs: Signs) =>
  signs.map((row) => row.map((s) => (s > 0 ? "x" : s < 0 ? "o" : ".")).join("")).join("/");

export type Turn = "rotate" | "mirror" | "flip";

// turned says where a point of a board goes.
export function turned(turn: Turn, { rows, cols }: Size, [x, y]: Point): Point {
  switch (turn) {
    case "rotate":
      return [rows - 1 - y, x];
    case "mirror":
      return [cols - 1 - x, y];
    case "flip":
      return [x, rows - 1 - y];
  }
}

export const turnedSize = (turn: Turn, { rows, cols }: Size): Size =>
  turn === "rotate" ? { rows: cols, cols: rows } : { rows, cols };

export function turnedName(turn: Turn, size: Size, name: string): string {
  const p = pointOf(size, name);
  return p ? pointName(turnedSize(turn, size), turned(turn, size, p)) : name;
}

export function turnedSigns(turn: Turn, size: Size, signs: Signs): Signs {
  const result = emptySigns(turnedSize(turn, size));
  signs.forEach((row, y) =>
    row.forEach((s, x) => {
      const [tx, ty] = turned(turn, size, [x, y]);
      result[ty][tx] = s;
    }),
  );
  return result;
}
