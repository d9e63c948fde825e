// The board as a picture, once as SVG and once drawn for PNG, out of one list of shapes.

import { columnName, pointOf, type Signs } from "./points";
import { type Mark } from "./judgement";

type Shape =
  | { rect: [x: number, y: number, w: number, h: number]; fill: string }
  | { line: [x1: number, y1: number, x2: number, y2: number] }
  | { circle: [x: number, y: number, r: number]; fill: string; stroke?: string; dash?: boolean }
  | { text: string; at: [x: number, y: number]; size: number; fill: string };

const WOOD = "#e3bf7c";
const INK = "#4a3515";
const FILL: Record<string, string> = { good: "#17693a", poor: "#8a5a00", bad: "#a32020", guess: "#f7ead0", lead: "#f7ead0" };

function shapes(signs: Signs, marks: Map<string, Mark>): { width: number; height: number; list: Shape[] } {
  const rows = signs.length;
  const cols = signs[0].length;
  const u = 40;
  const width = (cols + 2) * u;
  const height = (rows + 2) * u;
  const at = (x: number, y: number): [number, number] => [(x + 1.5) * u, (y + 1.5) * u];
  const list: Shape[] = [{ rect: [0, 0, width, height], fill: WOOD }];
  for (let y = 0; y < rows; y++) {
    list.push({ line: [...at(0, y), ...at(cols - 1, y)] });
    for (const x of [-1, cols]) list.push({ text: String(rows - y), at: at(x, y), size: 16, fill: INK });
  }
  for (let x = 0; x < cols; x++) {
    list.push({ line: [...at(x, 0), ...at(x, rows - 1)] });
    for (const y of [-1, rows]) list.push({ text: columnName(x), at: at(x, y), size: 16, fill: INK });
  }
  signs.forEach((row, y) =>
    row.forEach((s, x) => {
      if (s) list.push({ circle: [...at(x, y), 0.46 * u], fill: s > 0 ? "#1d1d1f" : "#fbfbf8", stroke: "#1d1d1f" });
    }),
  );
  for (const [name, mark] of marks) {
    const p = pointOf({ rows, cols }, name);
    const fill = FILL[mark.kind];
    if (!p || !fill) continue;
    const guess = mark.kind === "guess" || mark.kind === "lead";
    list.push({ circle: [...at(...p), 0.38 * u], fill, stroke: guess ? INK : undefined, dash: mark.kind === "guess" });
    list.push({ text: mark.text, at: at(...p), size: mark.text.length > 2 ? 12 : 18, fill: guess ? INK : "#ffffff" });
  }
  return { width, height, list };
}

export function boardSvg(signs: Signs, marks: Map<string, Mark>): string {
  const { width, height, list } = shapes(signs, marks);
  const body = list.map((s) => {
    if ("rect" in s) return `<rect x="${s.rect[0]}" y="${s.rect[1]}" width="${s.rect[2]}" height="${s.rect[3]}" fill="${s.fill}"/>`;
    if ("line" in s) return `<line x1="${s.line[0]}" y1="${s.line[1]}" x2="${s.line[2]}" y2="${s.line[3]}" stroke="${INK}"/>`;
    if ("circle" in s)
      return `<circle cx="${s.circle[0]}" cy="${s.circle[1]}" r="${s.circle[2]}" fill="${s.fill}"${s.stroke ? ` stroke="${s.stroke}"` : ""}${s.dash ? ' stroke-dasharray="4 3"' : ""}/>`;
    return `<text x="${s.at[0]}" y="${s.at[1]}" font-size="${s.size}" fill="${s.fill}" font-family="sans-serif" text-anchor="middle" dominant-baseline="central">${s.text}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body.join("")}</svg>\n`;
}

export function boardPng(signs: Signs, marks: Map<string, Mark>): Promise<Blob> {
  const { width, height, list } = shapes(signs, marks);
  const canvas = document.createElement("canvas");
  canvas.width = 2 * width;
  canvas.height = 2 * height;
  const c = canvas.getContext("2d")!;
  c.scale(2, 2);
  c.textAlign = "center";
  c.textBaseline = "middle";
  for (const s of list) {
    c.strokeStyle = INK;
    c.setLineDash([]);
    c.beginPath();
    if ("rect" in s) {
      c.fillStyle = s.fill;
      c.fillRect(...s.rect);
    } else if ("line" in s) {
      c.moveTo(s.line[0], s.line[1]);
      c.lineTo(s.line[2], s.line[3]);
      c.stroke();
    } else if ("circle" in s) {
      c.arc(...s.circle, 0, 2 * Math.PI);
      c.fillStyle = s.fill;
      c.fill();
      if (s.dash) c.setLineDash([4, 3]);
      if (s.stroke) {
        c.strokeStyle = s.stroke;
        c.stroke();
      }
    } else {
      c.fillStyle = s.fill;
      c.font = `${s.size}px sans-serif`;
      c.fillText(s.text, ...s.at);
    }
  }
  return new Promise((done, fail) => canvas.toBlob((b) => (b ? done(b) : fail(new Error("no picture"))), "image/png"));
}

export function download(name: string, content: BlobPart, type: string) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const a = document.createElement("a");
  a.href = url;
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
