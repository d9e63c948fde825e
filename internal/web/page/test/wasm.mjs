// Runs tests of Go that are compiled to WebAssembly, in Node, with what a worker gives:
//
//	GOOS=js GOARCH=wasm go test -exec "node $PWD/internal/web/page/test/wasm.mjs" ./internal/net

import { execFileSync } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

globalThis.crypto ??= crypto;
globalThis.fs = fs;
globalThis.path = path;
globalThis.tengenFile = (name) => new Uint8Array(fs.readFileSync(name));
const root = execFileSync("go", ["env", "GOROOT"], { env: { ...process.env, GOOS: "", GOARCH: "" } }).toString().trim();
await import(pathToFileURL(path.join(root, "lib", "wasm", "wasm_exec.js")));

const go = new Go();
go.argv = process.argv.slice(2);
go.env = { TMPDIR: "/tmp" };
go.exit = process.exit;
const { instance } = await WebAssembly.instantiate(fs.readFileSync(process.argv[2]), go.importObject);
globalThis.tengenMemory = instance.exports.mem;
await go.run(instance);
