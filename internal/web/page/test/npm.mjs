// The npm package as its users have it: installed from the archive, in Node, by the compiler of
// TypeScript, and in a browser. NPM is the folder with the archive.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { open, startBrowser, startSite } from "./browser.mjs";

const archive = join(process.env.NPM, readdirSync(process.env.NPM).find((n) => /^tengen-.*\.tgz$/.test(n)));
const folder = mkdtempSync(join(tmpdir(), "tengen-npm-"));
const installed = join(folder, "node_modules", "tengen");
mkdirSync(installed, { recursive: true });
execFileSync("tar", ["-xzf", archive, "-C", installed, "--strip-components=1"]);
const readme = readFileSync(join(installed, "README.md"), "utf8");
assert.ok(readme.includes(readFileSync(join(installed, "example.html"), "utf8").trim()), "docs/npm.md shows the example");
assert.ok(JSON.parse(readFileSync(join(installed, "package.json"), "utf8")).version);

// The same statements are compiled with their types and run. The program ends by itself.
const use = `
import { analyse, close, type Done, type Finding, play, Refused, settings, solve, type Update, value, why } from "tengen";

settings.memory = 384 * 2 ** 20;
const best: Finding = await solve({ size: "3x5" });
const go: Finding = await solve({ game: "go", size: "3x3", rules: "basic" });

let last: Update | Done | undefined;
for await (const news of analyse({ size: "3x5" })) last = news;
const winning = last!.moves!.filter((m) => m.winner === "black").length;

// Leaving the loop stops a search that would take hours; the next one does not wait for it.
for await (const { nodes } of analyse({ size: "7x7", moves: ["A1"] })) if (nodes >= 0) break;
const stop = AbortSignal.timeout(200);
const stopped: string = await solve({ size: "6x6", moves: ["A1"] }, { signal: stop }).then(() => "", (e) => e.name);

const { sum } = await value({ position: "..xo../..xo../..xo.." });
const proof = await why({ size: "3x5", moves: ["A1"] });
const move = await play({ size: "9x9", player: "net", level: 5 });
const wrong: Refused = await play({ position: "xq" }).catch((e) => e);
const text = JSON.stringify({ best: [best.winner, best.grade], go: go.score, winning, stopped, sum: sum?.outcome, proof: [proof.winner, proof.reply], move: move.move, wrong: [wrong instanceof Refused, wrong.code, wrong.location] });
console.log(text);
// @ts-expect-error there is no such game
void (() => solve({ game: "chess" }));
void close;
`;
writeFileSync(join(folder, "use.mts"), use);
writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { target: "ES2022", module: "NodeNext", lib: ["ES2023", "DOM", "DOM.AsyncIterable"], strict: true, types: [] }, files: ["use.mts"] }));
execFileSync(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", folder], { stdio: "inherit" });
const said = JSON.parse(execFileSync(process.execPath, [join(folder, "use.mjs")], { timeout: 120_000, stdio: ["ignore", "pipe", "inherit"] }));
assert.match(said.move, /^[A-J][1-9]$/);
assert.deepEqual({ ...said, move: "" }, {
  best: ["black", "exact"], go: 9, winning: 11, stopped: "TimeoutError", sum: "P", proof: ["white", "D2"], move: "", wrong: [true, "position", "body.position"],
});
console.log("ok   npm: in Node, with types");

// What docs/npm.md says that its calls return: winner is "black", or what the remark names is.
const shown = [...readme.matchAll(/^const \{ (\w+) \} = await (.+); +\/\/ (?:(\S+) is )?(\S+)$/gm)];
assert.equal(shown.length, 4);
writeFileSync(join(folder, "shown.mjs"), `import assert from "node:assert/strict";
import { solve, value, why } from "tengen";
${shown.map(([, name, call, what, is]) => `{ const { ${name} } = await ${call}; assert.equal(${what ?? name}, ${is}); }`).join("\n")}
`);
execFileSync(process.execPath, [join(folder, "shown.mjs")], { timeout: 120_000, stdio: "inherit" });
console.log("ok   npm: what docs/npm.md shows");

const site = startSite(installed);
const { browser, stop } = await startBrowser();
const origin = await site.origin;
const { page, faults } = await open(browser, origin, "example.html");
await page.locator("#said", { hasText: /^black wins, \d of \d different moves are decided\nBlack plays [A-E][1-3], a proven win\.$/ }).waitFor();
await page.locator("#size").fill("3x");
await page.locator("#size").press("Enter");
await page.locator("#said", { hasText: "size" }).waitFor();
assert.deepEqual(faults, []);
console.log("ok   npm: the example in a browser");
await stop();
await site.stop();
rmSync(folder, { recursive: true, force: true });
