// The tests of the page: one for each thing that it promises.

import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { promisify } from "node:util";
import { open, program, startMaster, startServer } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const temporary = mkdtempSync(join(tmpdir(), "tengen-files-"));

const REFUSED = ["status of 422", "status of 400"];

// axe runs through the debugger's own script context, which the page's policy allows.
async function accessible(page, name, rules = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate((runOnly) => globalThis.axe.run(document, { runOnly, resultTypes: ["violations"] }), rules);
  assert.deepEqual(
    violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.html.slice(0, 120)} ${n.failureSummary}`).join(" | ")}`),
    [],
    `axe on ${name}`,
  );
}

export const verdict = (page) => page.getByTestId("verdict");
const point = (page, name, rows) => {
  const x = name.charCodeAt(0) - 65;
  return page.locator(`.shudan-vertex[data-x="${x}"][data-y="${rows - Number(name.slice(1))}"]`);
};
const mark = (page, name, rows) => point(page, name, rows).locator(".shudan-heatlabel");
export const says = (locator, pattern) => locator.filter({ hasText: pattern }).first().waitFor();
const press = (locator, size) => (size === "phone" ? locator.tap() : locator.click());
const button = (page, name) => page.getByRole("button", { name, exact: typeof name === "string" });
const fits = async (page) => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `no sideways scrolling at ${page.url()}`);

const inSight = (page, selector, what) =>
  page.locator(selector).evaluate((e) => {
    const { top, bottom } = e.getBoundingClientRect();
    return top >= -1 && bottom <= innerHeight + 1;
  }).then((seen) => assert.ok(seen, `${what} is in sight`));

// ready waits until the server has told what is legal, and the opponent has moved.
const ready = (page) => page.locator(".board[aria-busy=false]").waitFor();

// settled waits until a mode shows what it is about.
export const settled = (page) =>
  page.waitForFunction(() => {
    if (document.querySelector(".results")) return document.querySelector(".cell, .experiment");
    if (document.querySelector(".start")) return true;
    const words = document.querySelector(".verdict strong")?.textContent;
    return document.querySelector(".board[aria-busy=false]") && words && !words.startsWith("Looking");
  });

async function type(page, label, value) {
  await page.getByRole("spinbutton", { name: label }).fill(value);
  await page.getByRole("spinbutton", { name: label }).press("Enter");
}

const drop = (page, content, name) =>
  page.evaluate(
    ([bytes, name]) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], name));
      document.querySelector(".board").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    [[...Buffer.from(content)], name],
  );
const choose = (page, content, name) => page.locator("input[type=file]").setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) });

async function download(page, name, size) {
  const [got] = await Promise.all([page.waitForEvent("download"), press(button(page, name), size)]);
  return readFileSync(await got.path());
}

const made = new Map();
function certificate(...question) {
  const name = question.join(" ");
  if (!made.has(name)) {
    const file = join(temporary, `${made.size}.cert`);
    execFileSync(program, ["solve", ...question, "--certificate", file, "--threads", "1"], { stdio: "pipe" });
    made.set(name, readFileSync(file));
  }
  return made.get(name);
}

export const tests = {
  async "explore: every move of 3×5 has its result and a sign"({ start }) {
    const page = await start("#/explore?game=nogo&size=3x5");
    await says(verdict(page), /Black wins with 11 of 15 moves/);
    assert.equal(await page.locator(".shudan-heat_good").count(), 11);
    assert.equal(await mark(page, "A1", 3).textContent(), "✗");
    assert.equal(await mark(page, "B2", 3).textContent(), "✓");
    assert.equal(await page.evaluate(() => document.getAnimations().length), 0, "reduced motion");
    await says(page.getByTestId("bases"), /: every line was searched|kept|counted out/);
    await accessible(page, "explore");
    await fits(page);
  },

  async "explore: a solved board says who wins at once, and along best play"({ start, size }) {
    const page = await start("#/explore?game=nogo&size=5x5");
    await says(verdict(page), /Black wins, for example with C3/);
    await says(page.getByTestId("bases"), /known results that come with the program/);
    await press(point(page, "C3", 5), size);
    await says(verdict(page), /Black wins: every move of White loses/);
    await press(point(page, "B2", 5), size);
    await says(verdict(page), /Black wins/);
    await page.evaluate(() => (location.hash = "#/why?game=nogo&size=5x5&moves=C3"));
    await says(page.getByTestId("why"), /Try any move/);
  },

  async "explore: moves, undo, redo, and a tree that the address keeps"({ start, size }) {
    const page = await start("#/explore?game=nogo&size=3x3");
    await says(verdict(page), /wins/);
    await press(point(page, "B2", 3), size);
    await page.waitForURL(/&moves=B2$/);
    await press(point(page, "A1", 3), size);
    await page.waitForURL(/&moves=B2\.A1$/);
    await press(button(page, /Take back/), size);
    await page.waitForURL(/&tree=B2\.A1&moves=B2$/);
    await press(button(page, /Play again/), size);
    await page.waitForURL(/3x3&moves=B2\.A1$/);
    await press(button(page, /Take back/), size);
    await page.waitForURL(/&tree=B2\.A1&moves=B2$/);
    await press(point(page, "C3", 3), size);
    await page.waitForURL(/&tree=B2\.A1_1\.C3&moves=B2\.C3$/);
    await settled(page); // or the answer may move the button away under the finger
    await press(page.locator(".tree button", { hasText: "A1" }), size);
    await page.waitForURL(/&moves=B2\.A1$/);
    await page.reload();
    await page.locator(".tree ul button", { hasText: "C3" }).waitFor();
    assert.equal(await page.locator(".tree button").count(), 4, "the beginning and three moves");
    await page.locator(".shudan-vertex.shudan-sign_-1").waitFor();
    await press(button(page, /Rotate/), size);
    await press(button(page, /Swap/), size);
    await page.waitForURL(/to_play=w/);
    await page.locator(".shudan-vertex.shudan-sign_1").waitFor();
    await settled(page); // or the answer may move the button away under the finger
    await press(button(page, /Remove/), size);
    await page.waitForURL(/tree=B2\.A1&moves=B2$|tree=B2\.[AC][13]&moves=B2$/);
  },

  async "explore: nothing moves under the finger when an answer arrives"({ start, size }) {
    if (size !== "phone") return; // there the board stands beside what changes
    for (const [hash, name, rows] of [["#/explore?game=go&size=3x3", "B2", 3], ["#/explore?game=nogo&size=3x5", "B2", 3]]) {
      const page = await start(hash);
      await page.setViewportSize({ width: 360, height: 2600 }); // all of the page is seen
      await says(verdict(page), /wins|B\+9/);
      await page.evaluate(() => {
        globalThis.shifts = [];
        document.styleSheets[0].insertRule(".box > * { visibility: hidden }"); // the order of moves in their box may change
        new PerformanceObserver((list) => {
          for (const e of list.getEntries()) globalThis.shifts.push({ value: e.value, what: e.sources.map((s) => s.node?.className ?? "") });
        }).observe({ type: "layout-shift" });
      });
      await page.waitForFunction(() => !document.querySelector(".progress button"));
      const place = (selector) => page.locator(selector).first().evaluate((e) => Math.round(e.getBoundingClientRect().top + scrollY));
      const before = [await place(".tree"), await place(".toolbar"), await place(".setup")];
      await press(point(page, name, rows), size);
      await page.waitForURL(/moves=B2$/);
      await page.waitForFunction(() => document.querySelector(".board[aria-busy=false]") && document.querySelector(".verdict .turn.w") && !document.querySelector(".progress button") && document.querySelector(".line button"));
      assert.deepEqual([await place(".tree"), await place(".toolbar"), await place(".setup")], before, "the tree, the buttons and the board's setup stay");
      const shifts = await page.evaluate(() => globalThis.shifts);
      const sum = shifts.reduce((a, s) => a + s.value, 0);
      assert.ok(sum < 0.01, `cumulative layout shift ${sum} of ${hash}: ${JSON.stringify(shifts)}`);
    }
  },

  async "explore: a tree goes out and comes back as SGF"({ start, size }) {
    const page = await start("#/explore?game=nogo&size=3x3&tree=B2.A1_1.C3&moves=B2");
    await says(verdict(page), /wins/);
    const record = (await download(page, "SGF", size)).toString();
    assert.match(record, /;B\[bb\]\s*\(;W\[ac\]\)\s*\(;W\[ca\]\)/);
    await page.goto(page.url().replace(/#.*/, "#/explore?game=nogo&size=4x4"));
    await says(verdict(page), /wins/);
    if (size === "desktop") await drop(page, record, "game.sgf");
    else await choose(page, record, "game.sgf");
    await page.waitForURL(/size=3x3&tree=B2\.A1_1\.C3&moves=B2\.A1$/);
  },

  async "explore: edit is not play"({ start, size }) {
    const page = await start("#/explore?game=nogo&size=3x3");
    await says(verdict(page), /wins/);
    await press(button(page, "Edit stones"), size);
    await page.locator(".board.editing").waitFor();
    await press(point(page, "A1", 3), size);
    await page.waitForURL(/position=\.\.\.\/\.\.\.\/x\.\./);
    await ready(page);
    const [board, tool] = [await page.locator(".board").boundingBox(), await button(page, "○ White").boundingBox()];
    assert.ok(tool.y > board.y && tool.y + tool.height < page.viewportSize().height, "the tools are in sight beside the board");
    await press(button(page, "○ White"), size);
    await press(point(page, "C3", 3), size);
    await page.waitForURL(/position=\.\.o\/\.\.\.\/x\.\./);
    await ready(page);
    if (size === "desktop") await accessible(page, "edit");
    await press(button(page, "Play moves"), size);
    await says(verdict(page), /wins/);
    assert.ok(!/moves=/.test(page.url()));
  },

  async "explore: sizes, rows, Go with numbers, and rules"({ start, size }) {
    const page = await start("#/explore?game=nogo&size=3x3");
    await type(page, "Rows", "1");
    await type(page, "Columns", "9");
    await page.waitForURL(/size=1x9/);
    await says(verdict(page), /Black wins/);
    await type(page, "Columns", "0");
    await says(page.locator(".setup .fault"), /whole numbers from 1 to 19; a single row or column may have 63/);
    assert.equal(await page.getByRole("spinbutton", { name: "Columns" }).getAttribute("max"), "63", "of a single row");
    assert.equal(await page.getByRole("spinbutton", { name: "Rows" }).getAttribute("max"), "19");
    await type(page, "Columns", "3");
    await page.getByRole("combobox", { name: "Game" }).selectOption("go");
    await page.waitForURL(/game=go/);
    await type(page, "Rows", "3");
    await says(verdict(page), /B\+9 with best play: B2/);
    assert.equal(await mark(page, "B2", 3).textContent(), "B+9");
    await says(button(page, /Pass/), /W\+\d|B\+\d|0/);
    await accessible(page, "go");
    await fits(page);
    await page.getByRole("combobox", { name: "Rules" }).selectOption("psk");
    await page.waitForURL(/rules=psk/);
    assert.equal(await page.getByRole("combobox", { name: "Endless games" }).count(), 0, "superko has no endless games");
  },

  async "explore: the rule for endless games is a choice"({ start }) {
    const page = await start("#/explore?game=go&size=2x3");
    await says(verdict(page), /A draw with best play/);
    await says(page.getByTestId("range"), /W\+6 to B\+6/);
    await says(page.locator(".setup"), /a game can repeat for ever/);
    assert.match(await mark(page, "B1", 2).textContent(), /↻/);
    await page.getByRole("combobox", { name: "Endless games" }).selectOption("go to Black");
    await page.waitForURL(/endless=win/);
    await says(verdict(page), /B\+6 with best play/);
    await page.reload();
    await says(verdict(page), /B\+6 with best play/);
  },

  async "explore: estimates look different, and a search can be stopped"({ start, size }) {
    const page = await start("#/explore?game=nogo&size=7x7");
    await page.locator(".shudan-heat_guess").first().waitFor();
    assert.match(await page.locator(".shudan-heat_guess .shudan-heatlabel").first().textContent(), /^\d+%$/);
    await says(page.locator(".box"), /A playout is a game that the computer plays to its end/);
    await press(button(page, "Stop"), size);
    if (size === "desktop") await accessible(page, "estimates");
    await press(button(page, "Go on"), size);
    await button(page, "Stop").waitFor();
  },

  async "explore: the best line as steps"({ start, size }) {
    const page = await start("#/explore?game=nogo&size=3x5");
    await says(verdict(page), /Black wins/);
    const steps = page.locator(".line button");
    await steps.nth(2).waitFor();
    await press(steps.nth(2), size);
    await page.waitForURL(/moves=\w+\.\w+\.\w+$/);
  },

  async "explore: copies and pictures"({ start, size }) {
    const page = await start("#/explore?game=nogo&size=3x3&moves=B2.A1");
    await says(verdict(page), /wins/);
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await press(button(page, "Link"), size);
    await says(page.locator(".said"), /link is in the clipboard/);
    assert.match(await clipboard(), /moves=B2\.A1/);
    await press(button(page, "Text"), size);
    await says(page.locator(".said"), /text/);
    assert.match(await clipboard(), /A\s*B\s*C/i);
    await press(button(page, "JSON"), size);
    await says(page.locator(".said"), /JSON/);
    assert.equal(JSON.parse(await clipboard()).question.moves.length, 2);
    await press(button(page, "Image"), size);
    await says(page.locator(".said"), /picture/);
    assert.deepEqual(await page.evaluate(async () => (await navigator.clipboard.read())[0].types), ["image/png"]);
    assert.match((await download(page, "SVG", size)).toString(), /^<svg .*<\/svg>\n$/s);
    assert.equal((await download(page, "PNG", size)).subarray(1, 4).toString(), "PNG");
  },

  async "explore: a record of another game is refused in words"({ start, size }) {
    const page = await start("#/explore?game=nogo&size=3x3", { expected: REFUSED });
    await says(verdict(page), /wins/);
    const chess = "(;GM[3]SZ[8];B[aa])";
    await choose(page, chess, "chess.sgf");
    await says(page.locator(".column .fault"), /another game/);
    await choose(page, "", "empty.sgf");
    await says(page.locator(".column .fault"), /not a game record that can be read/);
    if (size === "phone") return;
    await drop(page, chess, "chess.sgf");
    await says(page.locator(".stage .fault"), /another game/);
    await drop(page, "(;GM[1]RU[NoGo]SZ[3];B[aa];W[aa])", "broken.sgf");
    await says(page.locator(".stage .fault"), /breaks the rules at move A3/);
    await page.waitForURL(/moves=A3$/);
  },

  async "explore: what a result is known by is one word, and a line that is cut says so"({ start }) {
    const page = await start("#/explore?game=go&size=3x3");
    await says(verdict(page), /with best play/);
    const sources = await page.locator(".moves tbody tr td:nth-child(3)").allTextContents();
    assert.ok(sources.length > 9 && sources.every((s) => /^(table|book|ends the game)$/.test(s)), sources.join("|"));
    await says(page.locator(".moves tbody tr").first(), /\d+ moves/);
    assert.doesNotMatch(await page.locator(".line").innerText(), /…/);
    await page.evaluate(() => (location.hash = "#/explore?game=nogo&size=5x5"));
    await says(page.locator(".line"), /C3[^]*…/);
  },

  async "why: a board that is searched shows how far it is, and can be stopped"({ start, size }) {
    const page = await start("#/why?game=go&size=5x5&pick=A1");
    const words = page.getByTestId("why");
    await says(words, /Working out what A1 costs/);
    await page.locator(".progress").filter({ hasText: /positions.* s/ }).waitFor();
    if (size === "desktop") await accessible(page, "why searched");
    await press(button(page, "Stop"), size);
    await says(words, /What A1 costs is not known/);
    await press(button(page, "Go on"), size);
    await says(words, /Working out what A1 costs/);
    await press(button(page, "Stop"), size);
    await press(button(page, "Try moves"), size);
    await press(point(page, "B2", 5), size);
    await says(words, /Working out what B2 costs/);
    await press(button(page, "Stop"), size);
    await says(words, /What B2 costs is not known/);
    // Late in a game the answer comes.
    await page.evaluate(() => (location.hash = "#/why?game=go&position=xxx.o%2Fx.xoo%2Fxxxo.%2F.xooo%2Fxxo..&pick=pass"));
    await press(button(page, "Judge a move"), size);
    await says(words, /pass (costs \d|is as good)/);
  },

  async "why: from a losing move of Explore to the end of its proof"({ start, size }) {
    const page = await start("#/explore?game=nogo&size=3x5");
    await press(page.getByRole("link", { name: "Why is A1 worse?" }), size);
    const words = page.getByTestId("why");
    await says(words, /White wins with/);
    await press(button(page, /^Play [A-E]\d/), size);
    await says(words, /Black has lost/);
    await accessible(page, "why");
    await fits(page);
    for (let i = 0; i < 8; i++) {
      await ready(page);
      if (!(await page.locator(".shudan-heat_bad").count())) break;
      const before = page.url();
      await press(page.locator(".shudan-heat_bad").first(), size);
      await page.waitForURL((u) => u.href !== before);
      await page.locator(".board[aria-busy=false]").waitFor();
      await page.waitForFunction(() => !/Looking/.test(document.querySelector("[data-testid=why]").textContent));
    }
    await says(words, /white wins/i);
  },

  async "why: a certificate is checked, then walked; a damaged one is not"({ start, size }) {
    const page = await start("#/why?game=nogo&size=2x2", { expected: REFUSED });
    const good = certificate("nogo", "3x5");
    const damaged = Buffer.from(good);
    damaged[good.length >> 1] ^= 255;
    await choose(page, damaged, "bad.cert");
    await says(page.locator(".column .fault"), /\w{3}/);
    await choose(page, good, "3x5.cert");
    await says(page.getByTestId("certificate"), /Checked and right: Black wins/);
    await page.waitForURL(/3x5/);
    await says(page.getByTestId("why"), /Black wins with/);
    assert.equal(await page.locator(".fault").count(), 0);
    if (size === "phone") return;
    await drop(page, damaged, "bad.cert");
    await says(page.locator(".stage .fault"), /\w{3}/);
    await page.evaluate(() => (location.hash = "#/explore?game=nogo&size=2x2"));
    await says(verdict(page), /wins/);
    await drop(page, good, "3x5.cert"); // leads to where it is read
    await page.waitForURL(/#\/why.*3x5/);
    await says(page.getByTestId("certificate"), /Checked and right: Black wins/);
  },

  async "why: a certificate of Go is checked, then walked to the end of a line"({ start, size }) {
    const page = await start("#/why?game=go&size=2x2", { expected: REFUSED });
    const good = certificate("go", "3x4", "--at-least", "4");
    const words = page.getByTestId("why");
    const damaged = Buffer.from(good);
    damaged[good.length >> 1] ^= 255;
    await choose(page, damaged, "bad.cert");
    await says(page.locator(".column .fault"), /The certificate is damaged/);
    await choose(page, good.subarray(0, 100), "short.cert");
    await says(page.locator(".column .fault"), /The certificate is cut short/);
    await choose(page, "(;GM[1])", "other.cert");
    await says(page.locator(".column .fault"), /This is not a tengen certificate/);
    await choose(page, Buffer.alloc((8 << 20) + 1), "large.cert");
    await says(page.locator(".column .fault"), /8 MiB at most/);
    await choose(page, good, "3x4.cert");
    await says(page.getByTestId("certificate"), /Checked and right: Black scores at least 4 points on 3×4, Black to play; [\d,]+ positions/);
    assert.equal(await page.locator(".fault").count(), 0);
    await says(words, /Black scores at least 4 points, with [A-D]\d\./);
    // A move that is not the proof's leads out of it, and there is a way back.
    await ready(page);
    await press(point(page, "A1", 3), size);
    await says(words, /does not cover this position/);
    await press(button(page, "To its first position"), size);
    await press(button(page, /^Play [A-D]\d/), size);
    await says(words, /Try any move of White/);
    await says(page.locator(".moves"), /pass/);
    await accessible(page, "why certificate of Go");
    await fits(page);
    // White passes on and on, until the line ends.
    for (let i = 0; i < 20 && !/The line ends here/.test(await words.textContent()); i++) {
      const before = page.url();
      await press(page.locator(".toolbar .pass"), size);
      await page.waitForURL((u) => u.href !== before);
      await ready(page);
      await says(words, /Try any move|The line ends here/);
    }
    await says(words, /The line ends here: (enough points are safe|enough rooms are kept|two passes)\. Black scores at least 4 points/);
    await press(button(page, /Take back/), size);
    await says(words, /Try any move of White/);
    await press(button(page, /Play again/), size);
    await press(button(page, /Play again/), size);
    await says(words, /The line ends here/);
    // Other modes do not close it.
    await press(page.getByRole("link", { name: "Explore" }), size);
    await says(verdict(page), /B\+/);
    await press(page.getByRole("link", { name: "Why?", exact: true }), size);
    await says(words, /The line ends here/);
    await press(button(page, "Close it"), size);
    await says(words, /Choose a move|Black wins/);
    if (size === "phone") return;
    await page.evaluate(() => (location.hash = "#/explore?game=nogo&size=2x2"));
    await says(verdict(page), /wins/);
    await drop(page, certificate("go", "3x3", "--at-least", "9"), "3x3.cert");
    await page.waitForURL(/#\/why.*game=go.*3x3/);
    await says(page.getByTestId("certificate"), /Black scores at least 9 points on 3×3/);
  },

  async "why: Go shows what a move costs, and the link keeps it"({ start, size }) {
    const page = await start("#/why?game=go&size=3x3");
    await says(page.getByTestId("why"), /Choose a move/);
    await press(point(page, "A1", 3), size);
    await says(page.getByTestId("why"), /A1 costs 18 points/);
    await page.waitForURL(/pick=A1/);
    await page.reload();
    await says(page.getByTestId("why"), /A1 costs 18 points/);
    // The loser resists as long as it can, as on the command line and in GTP.
    await page.getByRole("heading", { name: "What follows: 16 moves" }).waitFor();
    assert.deepEqual((await page.locator(".line button").allTextContents()).map((s) => s.replace(/^\d+ /, "")).join(" "), "A1 B2 B1 C2 A2 B3 C1 A3 B1 C1 A1 A2 A1 B1 pass pass");
    if (size === "desktop") await accessible(page, "why go");
  },

  async "why: in Go the reader tries moves, which are judged and answered"({ start, size }) {
    const page = await start("#/why?game=go&size=3x3");
    const tried = page.getByTestId("tried");
    await press(button(page, "Try moves"), size);
    await says(page.getByTestId("why"), /Try a move for Black/);
    await press(point(page, "A1", 3), size);
    await says(tried, "A1 costs 18 points: B+9 becomes W+9. The answer is B2.");
    await page.waitForURL(/moves=A1\.B2$/);
    await press(point(page, "B1", 3), size);
    await says(tried, /B1 is as good as any: W\+9. The answer is C2/);
    await press(button(page, /Take back/), size);
    await page.waitForURL(/moves=A1\.B2$/);
    await fits(page);
    if (size === "desktop") await accessible(page, "why go tries");
    // A step of the line is a place to try from.
    await page.evaluate(() => (location.hash = "#/why?game=go&size=3x3&pick=A1"));
    await press(button(page, "Judge a move"), size);
    await press(button(page, /Play the line to move 4, C2/), size);
    await page.waitForURL(/moves=A1\.B2\.B1\.C2$/);
    await press(point(page, "A3", 3), size);
    await says(tried, /A3 .*W\+9. The answer is/);
  },

  async "play: a game to its end, hint, take back, review"({ start, size }) {
    const page = await start("#/play?game=nogo&size=3x3");
    const status = page.getByTestId("status");
    await says(status, /Make a move to begin/);
    await ready(page);
    await press(point(page, "A1", 3), size);
    await page.waitForURL(/moves=A1\.\w\d$/);
    await says(status, /Your turn/);
    await press(button(page, "Hint"), size);
    await page.locator(".shudan-heat_good, .shudan-heat_bad").first().waitFor();
    await press(button(page, "Take back"), size);
    await page.waitForURL((u) => !u.hash.includes("moves="));
    await ready(page);
    await press(point(page, "B1", 3), size);
    await page.waitForURL(/moves=B1/);
    for (let i = 0; i < 6; i++) {
      await says(status, /Your turn|wins/);
      await ready(page);
      if (/wins/.test(await status.textContent())) break;
      const before = page.url();
      await press(button(page, "Hint"), size);
      await press(page.locator(".shudan-heat_good, .shudan-heat_bad").first(), size);
      await page.waitForURL((u) => u.href !== before);
    }
    await says(status, /wins/);
    await press(button(page, "Review this game"), size);
    await page.waitForFunction(() => document.querySelectorAll(".curve .exact").length > 2);
    await button(page, "Review this game").waitFor();
    await accessible(page, "play");
    await fits(page);
  },

  async "play: White on 9×9, the opponent begins"({ start, size }) {
    const page = await start("#/play?game=nogo&size=9x9");
    await says(page.getByTestId("status"), /Make a move/);
    await press(button(page, "Play White"), size);
    await press(button(page, "New game"), size);
    await page.waitForURL(/size=9x9&moves=\w\d$/);
    await says(page.getByTestId("status"), /Your turn: you are White/);
  },

  async "play: an opponent without a proof is never certain"({ start, size }) {
    const page = await start("#/play?game=nogo&size=9x9");
    let share = 0.9999;
    await page.route("**/api/v1/play", (route) => route.fulfill({ json: { move: share > 0.5 ? "A9" : "J1", known: "unknown", win_share: share, line: [], says: "" } }));
    await ready(page);
    await press(point(page, "E5", 9), size);
    await says(page.locator(".column"), /White played A9\. White expects to win more than 99% of the time\./);
    share = 0.0001;
    await ready(page);
    await press(point(page, "C3", 9), size);
    await says(page.locator(".column"), /White played J1\. White expects to win less than 1% of the time\./);
    await fits(page);
  },

  async "play: a click where nobody may play is answered in words"({ start, size }) {
    const page = await start("#/play?game=nogo&position=.x./x../...&to_play=w");
    await ready(page);
    await press(point(page, "A3", 3), size);
    await says(page.locator(".notice"), /A3 is not allowed/);
    await press(point(page, "B3", 3), size);
    await says(page.locator(".notice"), /B3 is taken/);
    assert.doesNotMatch(page.url(), /moves=/);
    await press(point(page, "C1", 3), size);
    await page.waitForURL(/moves=C1/);
    await page.locator(".notice").waitFor({ state: "detached" });
    await page.evaluate(() => (location.hash = "#/explore?game=go&size=2x2&moves=A1.pass.pass"));
    await says(verdict(page), /wins: B\+4/);
    await press(point(page, "B2", 2), size);
    await says(page.locator(".stage .notice"), /game is over/);
  },

  async "play: a clock that runs out"({ start, size }) {
    const page = await start("#/play?game=nogo&size=3x3", { clock: true });
    await ready(page);
    assert.equal(await page.getByTestId("clock-b").count(), 0, "no clock unless it is wanted");
    await page.getByRole("combobox", { name: "Clock" }).selectOption("1 min each");
    await press(button(page, "New game"), size);
    await says(page.getByTestId("clock-w"), "1:00");
    await page.clock.fastForward(61_000);
    await says(page.getByTestId("status"), /time of Black is up: White wins/);
    if (size === "desktop") await accessible(page, "clock");
    await press(button(page, "New game"), size);
    await says(page.getByTestId("status"), /Your turn/);
    await page.clock.fastForward(35_000);
    await says(page.getByTestId("clock-b"), /^0:[0-2]/);
    await press(button(page, "4×5"), size);
    await says(page.getByTestId("clock-b"), /1:00|0:[345]/); // another board, another game
  },

  async "play: Go on a phone and at a desk"({ start, size }) {
    const page = await start("#/play?game=go&size=2x3");
    await ready(page);
    await press(point(page, "B1", 2), size);
    await page.waitForURL(/moves=B1\.\w+$/);
    await says(page.getByTestId("status"), /Your turn|wins|draw/);
    // White has no move left and passes.
    await page.evaluate(() => (location.hash = "#/play?game=go&position=.x.x./xxxxx"));
    await says(page.locator(".setup"), /every stone on the board then counts as alive/);
    await page.locator(".shudan-vertex.shudan-heat_free").nth(2).waitFor();
    await press(point(page, "C2", 2), size);
    await says(page.getByTestId("status"), /Your turn: you are Black. A second pass ends the game.*White passed/);
    await press(button(page, "Pass"), size);
    await says(page.getByTestId("status"), /Black wins: B\+10/);
  },

  async "learn: a row falls into regions with values"({ start, size }) {
    const page = await start("#/learn?game=nogo&position=..ox..oxx...");
    await says(page.getByTestId("learn"), /3 regions/);
    assert.equal(await page.locator(".region").count(), 3);
    assert.ok((await page.locator(".thermograph").count()) > 0);
    await accessible(page, "learn");
    await fits(page);
    await press(button(page, "Two dimensions"), size);
    await page.waitForURL(/position=x\.x/);
    await says(page.getByTestId("learn"), /regions/);
  },

  async "start: boards that people know, a game, a lesson"({ start, size }) {
    const page = await start("");
    const card = (name) => page.locator(".card", { has: page.getByText(name, { exact: true }) });
    for (const [name, where] of [
      ["Go 4×4", /explore\?game=go&rules=basic&size=4x4/],
      ["Go 5×5", /explore\?game=go&rules=basic&size=5x5/],
      ["NoGo 5×5", /explore\?game=nogo&size=5x5/],
      ["Play a game", /play\?game=nogo&size=7x7/],
      ["Take a lesson", /learn\?game=nogo&position=/],
    ])
      assert.match(await card(name).getAttribute("href"), where, name);
    await accessible(page, "start");
    await fits(page);
    await press(card("Play a game"), size);
    await says(page.getByTestId("status"), /Make a move to begin/);
    await page.goBack();
    await press(card("Take a lesson"), size);
    await says(page.getByTestId("learn"), /regions/);
    await press(page.locator(".brand"), size);
    await card("Go 4×4").waitFor();
  },

  async "start: the game and the board of the last visit"({ start, size }) {
    const page = await start("#/start");
    const open = async (mode, where) => {
      await page.goto("about:blank"); // a visit of its own
      await page.goto(origin);
      await press(page.getByRole("link", { name: mode, exact: true }), size);
      await page.waitForURL(where);
    };
    const origin = page.url().replace(/#.*/, "#/start");
    await press(page.getByRole("link", { name: "Explore", exact: true }), size);
    await page.waitForURL(/explore\?game=nogo&size=3x5$/);
    await open("Play", /play\?game=nogo&size=7x7$/);
    await page.goto(origin.replace("start", "play?game=go&size=2x3"));
    await ready(page);
    await press(point(page, "B1", 2), size);
    await page.waitForURL(/moves=B1/);
    await open("Explore", /explore\?game=go&rules=basic&size=2x3$/);
    await open("Play", /play\?game=go&rules=basic&size=2x3$/);
    await open("Learn", /learn\?game=nogo&position=/);
    // A link is only looked at, and a record belongs to somebody else.
    await page.goto(origin.replace("start", "explore?game=nogo&size=4x4&moves=A1"));
    await says(verdict(page), /wins/);
    await choose(page, "(;GM[1]SZ[5];B[bb])", "game.sgf");
    await page.waitForURL(/size=5x5/);
    await ready(page);
    await press(point(page, "A1", 5), size);
    await page.waitForURL(/moves=B4\.A1$/);
    await open("Explore", /explore\?game=go&rules=basic&size=2x3$/);
  },

  async "explore: 5×5 is known after C3, searched elsewhere, and says what is known"({ start, size }) {
    const page = await start("#/explore?game=go&size=5x5");
    await says(verdict(page), /B\+25 with best play/); // by the book
    assert.equal(await page.getByTestId("published").count(), 0);
    await page.evaluate(() => (location.hash = "#/explore?game=go&size=5x5&moves=C3.B2"));
    await says(verdict(page), /B\+25 with best play/);
    await page.evaluate(() => (location.hash = "#/explore?game=go&size=5x5&moves=A1"));
    await says(verdict(page), /Not decided yet. The search goes on|The score is between/);
    await page.locator(".progress").filter({ hasText: /positions/ }).waitFor();
    assert.doesNotMatch(await page.locator("main").innerText(), /Looking|tables go to/);
    await fits(page);
    // Late in a game the search is done in seconds.
    await page.evaluate(() => (location.hash = "#/explore?game=go&position=xxx.o%2Fx.xoo%2Fxxxo.%2F.xooo%2Fxxo.."));
    await says(verdict(page), /[BW]\+\d+ with best play/);
    if (size === "desktop") await accessible(page, "searched");
  },

  async "explore: a board that is too large says what is known and what can be done"({ start, size }) {
    const page = await start("#/explore?game=go&size=7x7", { expected: REFUSED });
    const trouble = page.getByTestId("trouble");
    await says(trouble, /Go 7×7 is too large/);
    assert.doesNotMatch(await page.locator("main").innerText(), /Looking|tables go to/);
    await accessible(page, "too large");
    await fits(page);
    await press(trouble.getByText("What the server says"), size);
    await says(trouble, /tables go to/);
    await press(trouble.getByRole("link", { name: "Open NoGo 7×7" }), size);
    await page.waitForURL(/game=nogo&size=7x7/);
    for (const [size, score] of [["3x6", "B+18"], ["4x5", "B+20"]]) {
      await page.evaluate((s) => (location.hash = `#/explore?game=go&size=${s}`), size);
      await says(verdict(page), score);
      await says(trouble, size === "3x6" ? /This server can do it now/ : /This server can do it now|too large for this server/);
      assert.doesNotMatch(await page.locator("main").innerText(), /Looking|tengen table|GiB|MiB/);
    }
    await page.evaluate(() => (location.hash = "#/why?game=go&size=7x7&pick=A1"));
    await says(page.getByTestId("why"), /Go 7×7 is too large for this server to work out what a move costs/);
  },

  async "explore: a missing table is built, with progress, and can be stopped"({ start, size }) {
    const page = await start("#/explore?game=go&size=3x6", { expected: [...REFUSED, "status of 429"] });
    const build = page.getByTestId("build");
    // One client builds one table at a time: the other size of this test may be at it.
    for (let status = 0; status !== 200; ) {
      const answer = page.waitForResponse((r) => r.url().endsWith("/table"));
      await press(page.getByRole("button", { name: /^(Build it|Go on building)$/ }), size);
      status = (await answer).status();
    }
    await says(build, /\d+ % built|^\d+% built|Waiting: number/);
    await says(build, /built/); // another test may build before
    await press(build.getByRole("button", { name: "Cancel" }), size);
    await says(build, "Stopped. What is done is kept.");
    await fits(page);
    await press(button(page, "Go on building"), size);
    if (size === "desktop") await accessible(page, "build");
  },

  async "play: a board that nobody plays here takes no stone"({ start, size }) {
    const page = await start("#/play?game=go&size=7x7");
    await says(page.getByTestId("status"), /Go 7×7 cannot be played against this server/);
    await press(point(page, "C3", 7), size);
    await says(page.locator(".stage .notice"), /cannot be played/);
    assert.ok(!/moves=/.test(page.url()));
    assert.ok(await button(page, "New game").isDisabled());
    if (size === "desktop") await accessible(page, "no play");
    await press(page.getByTestId("trouble").getByRole("link", { name: "Play Go 4×4" }), size);
    await page.waitForURL(/play\?game=go&rules=basic&size=4x4/);
    await page.evaluate(() => (location.hash = "#/play?game=go&rules=psk&size=4x4"));
    await says(page.getByTestId("status"), /Go 4×4 \(Positional superko\) cannot be played/);
  },

  async "play: 5×5 against a search"({ start, size }) {
    const page = await start("#/play?game=go&size=5x5");
    const opponent = page.getByRole("combobox", { name: "Opponent" });
    await ready(page);
    assert.deepEqual(await opponent.locator("option").allTextContents(), ["Search"]);
    await says(page.getByTestId("opponent"), /does not claim more/);
    await press(point(page, "C3", 5), size);
    await page.waitForURL(/moves=C3\.[A-E][1-5]/);
    await ready(page);
    if (size === "desktop") await accessible(page, "play 5x5");
  },

  async "play: only players that exist, and what they are"({ start }) {
    const page = await start("#/play?game=go&size=2x3");
    const opponent = page.getByRole("combobox", { name: "Opponent" });
    const names = () => opponent.locator("option").allTextContents();
    await ready(page);
    assert.deepEqual([(await names())[0], (await names()).at(-1), (await names()).length], ["Perfect", "Level 1 – beginner", 10]);
    await says(page.getByTestId("opponent"), /slips now and then/);
    await says(page.getByTestId("opponent"), /On this board it begins with a best move in \d+% of the games, and its first move gives away [\d.]+ points on average/);
    await opponent.selectOption("Perfect");
    await says(page.getByTestId("opponent"), /never gives away a point/);
    await page.evaluate(() => (location.hash = "#/play?game=nogo&size=9x9"));
    await opponent.locator("option[value=net]").waitFor({ state: "attached" });
    assert.ok(!(await names()).includes("Perfect"), "nobody solves 9×9");
    assert.equal((await names())[0], "Level 10 – plays as well as it can");
    await page.evaluate(() => (location.hash = "#/play?game=nogo&size=4x4"));
    await opponent.locator("option[value=perfect]").waitFor({ state: "attached" });
    assert.ok(!(await names()).includes("Network"), "the network does not know 4×4");
    await accessible(page, "opponents");
  },

  async "play: a reload, Back and Forward keep the game"({ start, size }) {
    const page = await start("#/play?game=nogo&size=4x4");
    const status = page.getByTestId("status");
    const moves = () => /&moves=([^&]*)/.exec(page.url())?.[1].split(".").length ?? 0;
    await ready(page);
    await page.getByRole("combobox", { name: "Opponent" }).selectOption("3");
    await press(button(page, "Play White"), size);
    await press(button(page, "New game"), size);
    await page.waitForURL(/&moves=\w\d$/);
    await says(status, /Your turn: you are White/);
    const first = page.url();
    await press(page.locator(".shudan-vertex.shudan-heat_free").first(), size);
    await page.waitForURL(/&moves=\w\d\.\w\d\.\w\d$/);
    const third = page.url();
    await page.reload();
    await says(status, /Your turn: you are White/);
    assert.equal(page.url(), third);
    assert.equal(await page.getByRole("combobox", { name: "Opponent" }).inputValue(), "3");
    await page.goBack();
    await says(page.locator(".notice"), /move 1 of 3/);
    assert.equal(moves(), 1);
    await page.goForward();
    await page.waitForURL(third);
    await says(status, /Your turn/);
    await press(button(page, "To the beginning (Home)"), size);
    await says(page.locator(".column .notice"), /move 0 of 3/);
    assert.equal(await page.locator(".tree button").count(), 4, "nothing is lost and nothing is played");
    await press(button(page, "Back to the game"), size);
    await page.waitForURL(third);
    await press(page.getByRole("link", { name: "Explore" }), size);
    await says(verdict(page), /wins/);
    await page.goBack();
    await says(status, /Your turn: you are White/);
    assert.notEqual(first, third);
  },

  async "play: a new game does not discard one without asking"({ start, size }) {
    const page = await start("#/play?game=nogo&size=4x4");
    await ready(page);
    await press(point(page, "A1", 4), size);
    await page.waitForURL(/&moves=A1\.\w\d$/);
    await ready(page);
    const before = page.url();
    // A point that is taken adds no move to a game that is under way.
    await press(point(page, "A1", 4), size);
    await says(page.locator(".stage .notice"), /A1 is taken/);
    assert.equal(page.url(), before);
    assert.match(before, /&moves=A1\.\w\d$/);
    await press(button(page, "New game"), size);
    const dialog = page.getByRole("alertdialog");
    await says(dialog, /game is under way/);
    if (size === "desktop") await accessible(page, "question");
    await press(button(page, "Keep playing"), size);
    assert.equal(page.url(), before);
    if (size === "desktop") {
      await page.keyboard.press("Enter"); // the focus is where it was
      await says(dialog, /game is under way/);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
    await press(button(page, /Swap/), size); // keeps whose turn it is, and whose stones
    await says(page.getByTestId("status"), /Your turn: you are White/);
    await ready(page);
    assert.match(page.url(), /to_play=w&moves=A1\.\w\d$/);
    await press(button(page, /Swap/), size);
    await page.waitForURL(before);
    await press(button(page, "New game"), size);
    await press(button(page, "Begin a new one"), size);
    await page.waitForURL((u) => !u.hash.includes("moves="));
    assert.ok(await button(page, "Resign").isDisabled(), "nothing is played yet");
    await page.goBack();
    await page.waitForURL(before);
    await ready(page);
    await press(button(page, "Resign"), size);
    await says(page.getByTestId("status"), "Black resigned: White wins.");
    await page.reload();
    await says(page.getByTestId("status"), "Black resigned: White wins.");
    await press(button(page, "Go on from here"), size);
    await says(page.getByTestId("status"), /Your turn: you are Black/);
  },

  async "review: a mistake on the board, with the better move and its line"({ start, size }) {
    const page = await start("#/play?game=go&size=3x3&moves=A1.B2.C1.pass.pass");
    const status = page.getByTestId("status");
    await says(status, /wins/);
    await press(button(page, "Review this game"), size);
    await says(page.getByTestId("mistakes"), /mistakes/);
    assert.match(await page.locator(".mistakes li").first().textContent(), /Move 1: Black played A1, and B\+9 became W\+9\. Better was B2\./);
    await press(page.locator(".mistakes button").first(), size);
    await says(status, /Move 1: Black played A1, and B\+9 became W\+9/);
    await inSight(page, ".board", "the board of the mistake");
    await inSight(page, "[data-testid=status]", "the sentence about the mistake");
    assert.ok(await page.evaluate(() => document.activeElement.matches(".mistakes button")), "the focus stays in the list");
    assert.equal(await mark(page, "A1", 3).textContent(), "✗");
    assert.equal(await page.locator(".shudan-heat_played").count(), 1);
    assert.equal(await page.locator(".shudan-heat_better").count(), 1);
    assert.equal(await mark(page, "B2", 3).textContent(), "1");
    await page.getByText("The better line").waitFor();
    assert.ok(await button(page, "Previous mistake").isDisabled());
    await press(button(page, "Next mistake"), size);
    await says(status, /Move [2-5]: (White|Black) (played|passed)/);
    await says(page.locator(".column"), /Mistake 2 of \d/);
    await press(button(page, "Previous mistake"), size);
    await says(status, /Move 1: Black played A1/);
    if (size === "desktop") await accessible(page, "review");
    await fits(page);
    await press(page.locator(".line button").first(), size);
    await page.waitForURL(/moves=B2$/);
    await inSight(page, ".board", "the board of the better line");
  },

  async "review: the board comes into sight smoothly, where the reader allows motion"({ start, size }) {
    const page = await start("#/play?game=go&size=3x3&moves=A1.B2.C1.pass.pass");
    await page.setViewportSize({ width: page.viewportSize().width, height: 500 });
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await says(page.getByTestId("status"), /wins/);
    await press(button(page, "Review this game"), size);
    await says(page.getByTestId("mistakes"), /mistakes/);
    await press(page.locator(".mistakes button").last(), size);
    await page.waitForFunction(() => {
      const { top, bottom } = document.querySelector(".board").getBoundingClientRect();
      return top >= -1 && bottom <= innerHeight + 1;
    });
  },

  async "results: a cell leads to its board, command and checksum"({ start, size }) {
    const page = await start("#/results");
    const cell = page.locator(".cell").first();
    await cell.waitFor();
    await fits(page);
    const go = page.locator("section", { hasText: "Go under basic ko" }).locator(".cell");
    assert.deepEqual((await go.allTextContents()).map((t) => t.split(":")[0]), ["B+4", "B+6", "B+15", "B+18", "B+21", "B+1", "B+20", "B+25"], "one notation");
    await press(cell, size);
    await says(page.getByTestId("cell"), /tengen /);
    await accessible(page, "results");
    await press(page.getByRole("link", { name: "Open the board" }), size);
    await page.waitForURL(/#\/explore/);
    await settled(page);
  },

  async "results: papers beside ours"({ start, size }) {
    const page = await start("#/results");
    await press(page.getByRole("link", { name: "Every figure of the papers" }), size);
    await page.waitForURL(/#\/papers/);
    const experiment = page.getByTestId("strong-states");
    await press(experiment.locator("summary"), size);
    await says(experiment, /4×5: legal boards\s*1,840,058,693\s*1,840,058,693\s*equal/);
    await says(experiment, /tengen reproduce strong-states --max/);
    await fits(page);
    await accessible(page, "papers");
    await page.getByLabel("Show").selectOption("differs");
    await says(experiment, /differs: the paper does not round/);
    assert.doesNotMatch(await experiment.locator("tbody").innerText(), /legal boards\s/, "only what differs");
  },
};

const MODES = {
  explore: "#/explore?game=nogo&size=3x5",
  why: "#/why?game=nogo&size=3x5&moves=A1.D2",
  play: "#/play?game=nogo&size=9x9&moves=E5.C3.G7",
  learn: "#/learn?game=nogo&position=..xo../..xo../..xo..",
  results: "#/results",
  papers: "#/papers",
};

// What is tested at one size only.
export const alone = {
  async "explore: stale and broken links say what is wrong, where it is wrong"({ start, size }) {
    const page = await start("#/explore?game=nogo&position=ox/xo", { expected: REFUSED });
    await page.locator(".stage .fault").waitFor();
    await accessible(page, "fault");
    for (const [hash, where, words] of [
      ["#/explore?game=chess", ".setup .fault", /chess/],
      ["#/explore?game=nogo&size=99x99", ".setup .fault", /99/],
      ["#/explore?game=nogo&size=3x3&moves=Z9", ".stage .fault", /Z9/],
      ["#/explore?game=nogo&size=3x3&moves=A1.A1", ".stage .fault", /occupied/],
      ["#/explore?game=nogo&position=%3Cscript%3E", ".stage .fault", /\w+/],
      ["#/explore?game=go&rules=area&size=3x3", ".setup .fault", /area/],
      ["#/explore?game=nogo&size=3x3&tree=B2_5.x&moves=B2", "main > .fault", /variations/],
      ["#/nowhere", "main > .fault", /nowhere/],
      ["#/learn?game=nogo&position=ox/xo", "[data-testid=learn]", /There is no such position/],
      ["#/learn?game=nogo&size=9x9", "[data-testid=trouble]", /NoGo 9×9 is too large to be taken apart.*See every move in Explore/s],
      ["#/learn?game=nogo&size=1x1", "[data-testid=learn]", /Nobody can move any more. Black is to play, and White wins/],
      ["#/why?game=go&size=2x2&moves=pass.pass&pick=A1", "[data-testid=why]", /draw/],
    ]) {
      await page.evaluate((h) => (location.hash = h), hash);
      await says(page.locator(where), words);
      if (/learn|why/.test(hash)) assert.doesNotMatch(await page.locator("main").innerText(), /Looking|Asking/);
    }
    await page.evaluate(() => (location.hash = "#/explore?game=nogo&position=ox/xo"));
    await press(button(page, "Start with an empty board"), size);
    await says(verdict(page), /Black wins/);
  },

  async "explore: a record is reviewed, read as NoGo and back, and keeps its result"({ start, size }) {
    const page = await start("#/explore?game=go&size=4x4");
    assert.ok(await page.getByText("Review this game").isDisabled(), "there is no game yet");
    await press(point(page, "B2", 4), size);
    await press(button(page, "Review this game"), size); // a game that was played here
    await page.waitForURL(/play\?game=go&rules=basic&size=4x4&moves=B2$/);
    await says(page.getByTestId("mistakes"), /No mistake was found/);
    await page.goBack();
    await page.waitForURL(/explore/);
    await choose(page, "(;GM[1]FF[4]SZ[3]PB[Ann]PW[Bob]RE[W+4];B[aa];W[bb];B[cc])", "game.sgf");
    const record = page.getByTestId("record");
    const stated = "Ann (Black) – Bob (White) · Result in the record: W+4";
    await says(record, stated);
    await press(button(page, "Read it as NoGo"), size);
    await page.waitForURL(/explore\?game=nogo&size=3x3&moves=A3\.B2\.C1$/);
    await says(record, stated);
    await page.reload();
    await says(record, stated);
    await press(button(page, "Read it as Go"), size);
    await page.waitForURL(/explore\?game=go&rules=basic&size=3x3&moves=A3\.B2\.C1$/);
    await accessible(page, "record");
    await fits(page);
    // The board of Play says what is on it, and the review begins.
    await press(button(page, "Review this game"), size);
    await page.waitForURL(/play\?game=go/);
    await says(page.getByTestId("mistakes"), /\d mistake/);
    await says(record, stated);
    await says(page.getByTestId("status"), /The record ends here. It gives the result W\+4/);
    await press(button(page, /Take back \(U\)/), size);
    await ready(page);
    assert.doesNotMatch(await page.getByTestId("status").textContent(), /Make a move to begin/);
    assert.match((await download(page, "SGF", size)).toString(), /PB\[Ann\].*RE\[W\+4\]|RE\[W\+4\].*PB\[Ann\]/s);
    await press(button(page, "New game"), size);
    await page.waitForURL(/size=3x3$/);
    assert.equal(await record.count(), 0, "a new game is not that of the record");
  },

  async "explore: a record says that its file has more games, and that komi does not count"({ start }) {
    const page = await start("#/explore?game=go&size=4x4");
    await choose(page, "(;GM[1]SZ[3]KM[6.5];B[bb];W[aa])(;GM[1]SZ[2];B[aa])", "games.sgf");
    await page.waitForURL(/size=3x3&moves=B2\.A3$/);
    const [games, komi] = [page.getByTestId("record-games"), page.getByTestId("record-komi")];
    await says(games, "This file has 2 games. The first one is shown.");
    await says(komi, "The record has a komi of 6.5. Scores here are without komi.");
    await accessible(page, "two games");
    await page.reload();
    await says(komi, /komi of 6\.5/);
    await press(button(page, "Read it as NoGo"));
    await page.waitForURL(/game=nogo/);
    await says(games, /2 games/);
    assert.equal(await komi.count(), 0, "NoGo has no scores");
    await choose(page, "(;GM[1]SZ[3]KM[0]PB[Ann];B[bb])", "one.sgf");
    await says(page.getByTestId("record"), /Ann/);
    assert.equal(await games.count(), 0);
    assert.equal(await komi.count(), 0);
  },

  async "keyboard alone: the board"({ start }) {
    const page = await start("#/explore?game=nogo&size=3x5");
    await says(verdict(page), /Black wins/);
    await page.getByTestId("board").focus();
    const keys = async (...list) => {
      for (const key of list) await page.keyboard.press(key);
    };
    await keys("ArrowLeft", "ArrowLeft", "ArrowDown");
    await says(page.getByTestId("cursor"), /A1, empty, loses/);
    await keys("Enter");
    await page.waitForURL(/3x5&moves=A1$/);
    await keys("u");
    await page.waitForURL(/tree=A1$/);
    await keys("r");
    await page.waitForURL(/3x5&moves=A1$/);
    await keys("Control+z");
    await page.waitForURL(/tree=A1$/);
    await keys("Control+y");
    await page.waitForURL(/3x5&moves=A1$/);
    await keys("Home");
    await page.waitForURL(/tree=A1$/);
    await keys("End");
    await page.waitForURL(/3x5&moves=A1$/);
    await keys("t");
    await page.waitForURL(/size=5x3&moves=A5$/);
    await keys("f");
    await page.waitForURL(/moves=A1$/);
    await keys("m");
    await page.waitForURL(/moves=C1$/);
    await keys("s");
    await page.waitForURL(/to_play=w/);
    await page.evaluate(() => (location.hash = "#/explore?game=go&size=2x2"));
    await says(verdict(page), /best play/);
    await keys("p");
    await page.waitForURL(/moves=pass$/);
  },

  async "Back and Forward are faster than the page is drawn"({ start }) {
    const page = await start("#/start", { script: "globalThis.requestAnimationFrame = () => 0" });
    await page.evaluate(() => (location.hash = "#/explore?game=go&rules=basic&size=2x2")); // a link
    for (const name of ["A1", "B2", "A2"]) {
      await ready(page);
      await point(page, name, 2).click();
      await page.waitForURL((u) => u.hash.endsWith(name));
    }
    await page.evaluate(() => (addEventListener("popstate", () => (history.back(), history.back()), { once: true }), history.back()));
    await page.waitForURL(/size=2x2&tree=A1\.B2\.A2$/); // the game is still there
    for (const moves of ["A1", "A1.B2", "A1.B2.A2"]) {
      await page.goForward();
      await page.waitForURL((u) => u.hash.endsWith(`&moves=${moves}`));
    }
  },

  async "the keyboard's cursor stands around a stone, not on it"({ start }) {
    const page = await start("#/explore?game=nogo&position=x../.../...");
    await says(verdict(page), /wins/);
    await page.getByTestId("board").focus();
    for (const key of ["ArrowLeft", "ArrowUp"]) await page.keyboard.press(key);
    await says(page.getByTestId("cursor"), /A3, black/);
    const [stone, inside] = await page.evaluate(() => {
      const cursor = document.querySelector(".shudan-selection");
      const box = cursor.getBoundingClientRect();
      const line = parseFloat(getComputedStyle(cursor).borderTopWidth);
      const s = cursor.closest(".shudan-vertex").querySelector(".shudan-stone").getBoundingClientRect();
      return [{ left: s.left, right: s.right, top: s.top, bottom: s.bottom }, { left: box.left + line, right: box.right - line, top: box.top + line, bottom: box.bottom - line, shadow: getComputedStyle(cursor).boxShadow }];
    });
    assert.ok(inside.left <= stone.left + 0.5 && inside.right >= stone.right - 0.5 && inside.top <= stone.top + 0.5 && inside.bottom >= stone.bottom - 0.5, JSON.stringify([stone, inside]));
    assert.doesNotMatch(inside.shadow, /inset/);
  },

  async "star points as players know them, and icons that differ"({ start }) {
    const page = await start("#/explore?game=nogo&size=9x9");
    const stars = () => page.locator(".shudan-hoshi").evaluateAll((all) => all.filter((s) => getComputedStyle(s).display !== "none").length);
    await ready(page);
    assert.equal(await stars(), 5);
    for (const [size, n] of [["19x19", 9], ["7x7", 4], ["9x12", 4], ["5x5", 0]]) {
      await page.evaluate((s) => (location.hash = `#/explore?game=nogo&size=${s}`), size);
      const [rows, cols] = size.split("x").map(Number);
      await page.waitForFunction((n) => document.querySelectorAll(".shudan-vertex").length === n, rows * cols);
      await ready(page);
      assert.equal(await stars(), n, size);
    }
    const drawn = await page.locator("button .icon").evaluateAll((all) => all.map((i) => i.innerHTML));
    assert.equal(new Set(drawn).size, drawn.length, "no two buttons look alike");
  },

  async "problems are said in the reader's language"({ start, size }) {
    const page = await start("#/explore?game=nogo&size=3x3&moves=B2.B2", { locale: "de-DE", expected: REFUSED });
    await says(page.locator(".fault"), "B2 kann dort nicht gespielt werden.");
    await page.evaluate(() => (location.hash = "#/explore?game=nogo&size=3x3"));
    await says(verdict(page), /gewinnt/);
    if (size === "desktop") await drop(page, "no record", "game.sgf");
    else await choose(page, "no record", "game.sgf");
    await says(page.locator(".fault"), "Das ist keine lesbare Partieaufzeichnung.");
  },

  async "storage that is blocked does not blank the page"({ start }) {
    const blocked = `for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });`;
    const page = await start("#/play?game=nogo&size=3x3", { script: blocked });
    await ready(page);
    const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.locator(".theme").click();
    await page.locator(".theme").click();
    const dark = await colour();
    await point(page, "A1", 3).click();
    await page.waitForURL(/moves=A1\.\w\d$/);
    await page.getByRole("combobox", { name: "Language" }).selectOption("de");
    await says(page.getByTestId("status"), /Sie sind am Zug: Sie haben Schwarz/);
    assert.equal(await colour(), dark, "kept for as long as the page is open");
  },

  async "every language says everything, and is chosen by the browser"({ start }) {
    for (const [locale, word, tag] of [["de-AT", "Erkunden", "de"], ["zh-CN", "探索", "zh-Hans"], ["ja-JP", "調べる", "ja"], ["ko-KR", "탐색", "ko"]]) {
      const page = await start("#/start", { locale, size: "phone" });
      await page.getByRole("link", { name: word, exact: true }).waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.lang), tag);
      await accessible(page, locale);
      for (const hash of ["#/start", ...Object.values(MODES), "#/explore?game=go&size=2x3", "#/explore?game=go&size=5x5", "#/play?game=go&size=5x5", "#/cluster"]) {
        await page.evaluate((h) => (location.hash = h), hash);
        await page.waitForFunction((h) => location.hash.startsWith(h.split("?")[0]) && !document.querySelector(".board[aria-busy=true]"), hash);
        await page.waitForFunction(() => document.querySelector(".cell, .experiment, .start, .verdict strong:not(:empty), [data-testid=no-search] code"));
        await fits(page);
        const english = await page.evaluate(() => {
          const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          const found = [];
          for (let n = walk.nextNode(); n; n = walk.nextNode()) {
            const own = n.parentElement.closest("[lang]")?.lang;
            if (own !== "en" && !n.parentElement.closest("code, noscript") && /\b(the|is|are|and|of|to|with|Black|White|wins|move|moves|game|board)\b/.test(n.textContent)) found.push(n.textContent);
          }
          return found;
        });
        assert.deepEqual(english, [], `${locale} ${hash}`);
      }
      await page.close();
    }
  },

  async "another language keeps the game, and stays chosen"({ start }) {
    const page = await start("#/play?game=nogo&size=4x4");
    await ready(page);
    await point(page, "A1", 4).click();
    await page.waitForURL(/moves=A1\.\w\d$/);
    const before = page.url();
    await page.getByRole("combobox", { name: "Language" }).selectOption("ja");
    await says(page.getByTestId("status"), /あなたは黒です/);
    assert.equal(page.url(), before);
    await page.reload();
    await says(page.getByTestId("status"), /あなたは黒です/);
    await page.getByRole("combobox", { name: "言語" }).selectOption("en");
    await says(page.getByTestId("status"), /you are Black/);
  },

  async "a busy server is asked again, and a broken one can be"({ start }) {
    const page = await start("#/results", { expected: ["Failed to load resource"] });
    await page.locator(".cell").first().waitFor();
    const answers = [503, 500];
    await page.route("**/api/v1/analyse", async (route) => {
      const status = answers.shift();
      if (!status) return route.continue();
      await route.fulfill({ status, headers: { "Retry-After": "1", "Content-Type": "application/problem+json" }, body: JSON.stringify({ status, detail: "the queue is full" }) });
    });
    await page.evaluate(() => (location.hash = "#/explore?game=nogo&size=3x3"));
    const trouble = page.getByTestId("trouble");
    await says(trouble, /server is busy with other questions/);
    await says(trouble, /Something went wrong on the server/);
    await button(page, "Try again").click();
    await trouble.waitFor({ state: "detached" });
    await says(verdict(page), /wins with \d of 9 moves|only with/);
    for (const [call, hash, where, words] of [
      ["why", "#/why?game=nogo&size=3x3", "why", /wins with/],
      ["learn", "#/learn?game=nogo&position=..ox..oxx...", "learn", /3 regions/],
    ]) {
      let refused = 0;
      await page.route(`**/api/v1/${call}`, (route) => (refused++ ? route.continue() : route.fulfill({ status: 503, headers: { "Content-Type": "application/problem+json" }, body: "{}" })));
      await page.evaluate((h) => (location.hash = h), hash);
      await says(trouble, /server is busy/);
      await says(page.getByTestId(where), words);
    }
    let refused = 0;
    await page.route("**/api/v1/play", (route) => (refused++ ? route.continue() : route.fulfill({ status: 429, headers: { "Content-Type": "application/problem+json" }, body: "{}" })));
    await page.evaluate(() => (location.hash = "#/play?game=nogo&size=3x3"));
    await ready(page);
    await point(page, "A1", 3).click();
    await page.waitForURL(/moves=A1\.\w\d$/);
    assert.equal(refused, 2);
    // The stones stay, whatever the server says to the next move. A proxy that says 502 has no server behind it.
    await ready(page);
    const failures = [503, 500, 502];
    await page.route("**/api/v1/position", (route) => (failures.length ? route.fulfill({ status: failures.shift(), headers: { "Content-Type": "application/problem+json" }, body: "{}" }) : route.continue()));
    await page.locator(".shudan-heat_free").first().click();
    await says(page.locator(".stage .fault"), /server is busy/);
    await says(page.locator(".stage .fault"), /Something went wrong on the server/);
    assert.equal(await page.locator(".shudan-vertex:is(.shudan-sign_1, .shudan-sign_-1)").count(), 2);
    await button(page, "Try again").click();
    await says(page.getByTestId("gone"), /does not answer/);
    assert.equal(await page.locator(".shudan-vertex:is(.shudan-sign_1, .shudan-sign_-1)").count(), 2);
    await page.waitForURL(/moves=A1(\.\w\d){3}$/);
    // A review that is cut off is asked for again.
    let cut = 0;
    await page.route("**/api/v1/review", (route) => (cut++ ? route.continue() : route.abort()));
    await button(page, "Review this game").click();
    await page.getByTestId("mistakes").waitFor();
    assert.equal(cut, 2);
  },

  async "a search that tells much leaves the page time for its reader"({ start }) {
    const page = await start("#/results");
    await page.locator(".cell").first().waitFor();
    const news = Array.from({ length: 200 }, (_, i) => `event: update\ndata: {"nodes":${i + 1},"moves":[]}\n\n`).join("");
    await page.route("**/api/v1/analyse", (route) => route.fulfill({ status: 200, headers: { "Content-Type": "text/event-stream" }, body: `${news}event: done\ndata: {"nodes":1000,"moves":[]}\n\n` }));
    await page.evaluate(() => {
      globalThis.drawn = new Set();
      new MutationObserver(() => globalThis.drawn.add(document.querySelector(".progress p")?.textContent)).observe(document.body, { subtree: true, childList: true, characterData: true });
      location.hash = "#/explore?game=nogo&size=2x2";
    });
    await says(page.locator(".progress"), /1,000 positions/);
    assert.ok((await page.evaluate(() => globalThis.drawn.size)) < 20, "what comes together is drawn once");
  },

  async "keyboard alone: every control is reached, and the focus is seen"({ start }) {
    const page = await start("#/explore?game=nogo&size=2x2");
    await says(verdict(page), /wins/);
    await page.locator(".brand").focus();
    const seen = new Set();
    for (let i = 0; i < 45; i++) {
      await page.keyboard.press("Tab");
      const [name, visible] = await page.evaluate(() => {
        const e = document.activeElement;
        const style = getComputedStyle(e);
        return [e.getAttribute("aria-label") || e.textContent.trim() || e.tagName, e === document.body || (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2)];
      });
      assert.ok(visible, `the focus is seen on ${name}`);
      seen.add(name);
    }
    for (const name of ["Why?", "Edit stones", "Link", "Start", "Open SGF …"]) assert.ok(seen.has(name), `Tab reaches ${name}`);
  },

  async "keyboard alone: from Explore to Play and a game"({ start }) {
    const page = await start("#/explore?game=nogo&size=2x2");
    await says(verdict(page), /wins/);
    await page.getByRole("link", { name: "Play" }).focus();
    await page.keyboard.press("Enter");
    await says(page.getByTestId("status"), /Make a move/);
    await ready(page);
    await page.getByTestId("board").focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/moves=\w\d/);
    await says(page.getByTestId("status"), /wins|Your turn/);
  },

  async "explore: the line of a move when the mouse is on it"({ start }) {
    const page = await start("#/explore?game=nogo&size=3x5");
    await says(verdict(page), /Black wins/);
    const steps = page.locator(".line button");
    await steps.nth(2).hover();
    await page.locator(".shudan-heat_stepb, .shudan-heat_stepw").nth(2).waitFor();
    assert.equal(await page.locator(".shudan-heat_stepb, .shudan-heat_stepw").count(), 3);
  },

  async "dark, and a choice that stays"({ start }) {
    for (const [mode, hash] of Object.entries(MODES)) {
      const page = await start(hash, { theme: "dark" });
      await settled(page);
      await accessible(page, `${mode} in the dark`, { type: "rule", values: ["color-contrast"] });
      if (mode !== "results") continue;
      const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const dark = await colour();
      await page.locator(".theme").click();
      assert.notEqual(await colour(), dark);
      await page.reload();
      await page.locator(".cell").first().waitFor();
      assert.notEqual(await colour(), dark);
    }
  },

  async "nothing sticks out at 360 pixels or on a very large screen"({ start }) {
    for (const size of ["phone", "huge"]) {
      const page = await start(MODES.results, { size });
      for (const hash of [...Object.values(MODES), "#/explore?game=nogo&size=1x20", "#/explore?game=nogo&size=19x19", "#/explore?game=nogo&size=12x1"]) {
        await page.evaluate((h) => (location.hash = h), hash);
        await settled(page);
        await fits(page);
      }
    }
  },

  // Counted as it is sent: the server's own compression, else gzip.
  async "the page weighs less than 150 kB"({ start, origin }) {
    const page = await start("#/results");
    await page.locator(".cell").first().waitFor();
    const urls = await page.evaluate(() => [location.href, ...performance.getEntriesByType("resource").map((r) => r.name)]);
    let weight = 0;
    for (const url of new Set(urls.map((u) => u.replace(/#.*/, "")))) {
      assert.ok(url.startsWith(origin), url);
      if (!url.includes("/api/")) weight += gzipSync(await (await page.request.get(url)).body()).length;
    }
    assert.ok(weight > 10_000 && weight < 150_000, `${weight} bytes`);
    console.log(`     ${(weight / 1000).toFixed(1)} kB gzipped`);
  },

  async "cluster: a server that watches none says so"({ start }) {
    const page = await start("#/cluster");
    await says(page.getByTestId("no-search"), /watches no cluster/);
    await accessible(page, "no cluster");
    await page.getByRole("link", { name: "Results" }).click();
    await page.locator(".cell").first().waitFor();
    assert.equal(await page.getByRole("link", { name: "Cluster" }).count(), 0, "no tab for what is not there");
  },

  async "cluster: a search without workers, with one, done, and without its master"({ browser }) {
    const master = startMaster(join(temporary, "5x5.store"));
    let server;
    let worker;
    try {
      const nats = await master.nats;
      server = startServer(0, "--nats", nats);
      const origin = await server.origin;
      const desk = await open(browser, origin, "#/explore?game=nogo&size=2x2");
      const phone = await open(browser, origin, "#/cluster", { size: "phone", theme: "dark" });
      const { page } = desk;
      await page.getByRole("link", { name: "Cluster" }).click();
      const state = page.getByTestId("cluster");
      await says(state, /Under way.*Searching.*NoGo 5×5, Black to play/);
      await says(page.locator(".workers"), /No worker has joined yet/);
      assert.equal(await page.locator(".shudan-heat_open").count(), 25);

      worker = spawn(program, ["worker", "--nats", nats, "--name", "one", "--memory", "64MiB", "--threads", "1"], { stdio: "ignore" });
      await promisify(execFile)(program, ["cluster", "solve", "nogo", "3x3", "--each-move", "--nats", nats, "--store", join(temporary, "3x3.store")]);
      await says(page.locator(".workers td"), "one");
      await page.getByRole("combobox", { name: "Search to show" }).selectOption({ label: "NoGo 3×3, Black to play, every move · Finished" });
      await says(state, /Finished.*Black wins, for example with/);
      assert.equal(await page.locator(".shudan-heat_good, .shudan-heat_bad").count(), 9);
      await page.getByTestId("board").focus();
      await page.keyboard.press("ArrowLeft");
      await says(page.getByTestId("cursor"), /^B\d, empty, (wins|loses)/);
      await accessible(page, "cluster, done");
      await says(phone.page.getByTestId("cluster"), /Under way.*5×5/);
      await says(phone.page.locator(".workers td"), "one");
      await fits(phone.page);
      await accessible(phone.page, "cluster on a phone in the dark");

      await master.kill();
      await says(page.locator(".fault"), /NATS server does not answer/);
      await says(phone.page.getByTestId("cluster"), /master is silent/);
      await says(phone.page.locator(".fault"), /Nothing has been heard of the master/);
      await fits(phone.page);
      await accessible(phone.page, "cluster without its master");
      assert.deepEqual([...desk.faults, ...phone.faults], []);
      await desk.close();
      await phone.close();
    } finally {
      worker?.kill("SIGKILL");
      await master.kill();
      await server?.stop();
    }
  },

  async "the server goes away and comes back"({ browser }) {
    let server = startServer();
    const origin = await server.origin;
    const { page, faults, close } = await open(browser, origin, "#/explore?game=nogo&size=3x3&moves=B2", { expected: ["Failed to load resource"] });
    await says(verdict(page), /wins/);
    await server.stop();
    await point(page, "A1", 3).click();
    await says(page.getByTestId("gone"), /does not answer/);
    assert.equal(await page.locator(".shudan-vertex.shudan-sign_1").count(), 1, "the stones stay on the board");
    server = startServer(new URL(origin).port);
    await server.origin;
    await page.getByTestId("gone").waitFor({ state: "detached" });
    await says(verdict(page), /wins/);
    await page.waitForURL(/moves=B2\.A1$/);
    assert.deepEqual(faults, []);
    await close();
    await server.stop();
  },

  async "the server goes away while nobody asks"({ browser }) {
    let server = startServer();
    const origin = await server.origin;
    const { page, faults, close } = await open(browser, origin, "#/results", { expected: ["Failed to load resource"], clock: true });
    await page.locator(".cell").first().waitFor();
    await server.stop();
    await page.clock.fastForward(11_000);
    await says(page.getByTestId("gone"), /does not answer/);
    server = startServer(new URL(origin).port);
    await server.origin;
    await page.getByTestId("gone").waitFor({ state: "detached" });
    assert.deepEqual(faults, []);
    await close();
    await server.stop();
  },
};
