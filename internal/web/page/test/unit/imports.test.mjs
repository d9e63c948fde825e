// No source imports itself by a detour, types included: each can be read with those below it.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import ts from "typescript";

const SRC = "src";
const files = readdirSync(SRC, { recursive: true }).filter((f) => /\.tsx?$/.test(f));

export function circle(imports) {
  const done = new Set();
  const walk = (file, path) => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of imports.get(file) ?? []) {
      const found = walk(next, [...path, file]);
      if (found) return found;
    }
    done.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const found = walk(file, []);
    if (found) return found;
  }
  return undefined;
}

function importsOf(file) {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(SRC, file), "utf8"), true, true);
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith("."))
    .map(({ fileName }) => files.find((f) => f.replace(/\.tsx?$/, "") === relative(SRC, join(SRC, dirname(file), fileName))))
    .filter(Boolean);
}

test("a circle is found", () => {
  assert.deepEqual(circle(new Map([["a", ["b"]], ["b", ["c"]], ["c", ["b"]]])), ["b", "c", "b"]);
  assert.equal(circle(new Map([["a", ["b", "c"]], ["b", ["c"]], ["c", []]])), undefined);
});

test("the sources import in no circle", () => {
  const imports = new Map(files.map((f) => [f, importsOf(f)]));
  assert.ok(imports.get("app.tsx").includes("game.ts"), "imports are seen");
  assert.equal(circle(imports)?.join(" → "), undefined);
});
