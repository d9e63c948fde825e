// Lets node run the page's sources: TypeScript is stripped by the compiler that the build
// uses, and imports need no ending. Used as `node --import ./test/typescript.mjs`.

import { existsSync, readFileSync } from "node:fs";
import { register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import ts from "typescript";

if (isMainThread) register(import.meta.url);

export async function resolve(name, context, next) {
  if (name.startsWith(".") && context.parentURL) {
    for (const ending of [".ts", ".tsx"]) {
      const url = new URL(name + ending, context.parentURL);
      if (existsSync(url)) return { url: url.href, shortCircuit: true };
    }
  }
  return next(name, context);
}

export async function load(url, context, next) {
  if (!/\.tsx?$/.test(url)) return next(url, context);
  const { outputText } = ts.transpileModule(readFileSync(new URL(url), "utf8"), {
    fileName: fileURLToPath(url),
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.ReactJSX, jsxImportSource: "preact" },
  });
  return { format: "module", source: outputText, shortCircuit: true };
}
