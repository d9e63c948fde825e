// The page in a real browser, against the real server: `make page-test`.
//
// Every test runs at desktop size with mouse and keyboard and at phone size with touch.
// A test fails on anything on the console, on a request to another origin, and on
// anything that axe-core finds. Screenshots go to $SHOTS, or nowhere.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open, startBrowser, startServer } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = process.env.SHOTS;
const only = process.argv.slice(2);
const temporary = mkdtempSync(join(tmpdir(), "tengen-files-"));

const REFUSED = ["status of 422", "status of 400"];

// axe runs through the debugger's own script context, which the page's policy allows.
async function accessible(page, name) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  assert.deepEqual(
    violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.html.slice(0, 120)} ${n.failureSummary}`).join(" | ")}`),
    [],
    `axe on ${name}`,
  );
}

async function shot(page, name) {
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`) });
}

const verdict = (page) => page.getByTestId("verdict");
const point = (page, name, rows) => {
  const x = name.charCodeAt(0) - 65;
  return page.locator(`.shudan-vertex[data-x="${x}"][data-y="${rows - Number(name.slice(1))}"]`);
};
const says = (locator, pattern) =>
  locator.filter({ hasText: pattern }).waitFor({ timeout: 30000 });
const press = (locator, size) => (size === "phone" ? locator.tap() : locator.click());

const tests = {
  async "explore: every move of 3×5 has its result and a sign"({ start, size }) {
    const page = await start("#/explore?game=nogo&size=3x5");
    await says(verdict(page), /Black wins with 11 of 15 moves/);
    assert.equal(await page.locator(".shudan-heat_good").count(), 11);
    assert.equal(await point(page, "A1", 3).locator(".shudan-heatlabel").textContent(), "✗");
    assert.equal(await point(page, "B2", 3).locator(".shudan-heatlabel").textContent(), "✓");
    await accessible(page, "explore");
    await shot(page, `explore-${size}-light`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
  },

  async "explore: moves, undo, redo, branches and the address"({ start, size }) {
    const page = await start("#/explore?game=nogo&size=3x3");
    await says(verdict(page), /wins/);
    await press(point(page, "B2", 3), size);
    await page.waitForURL(/moves=B2$/);
    await press(point(page, "A1", 3), size);
    await page.waitForURL(/moves=B2\.A1$/);
    await press(page.getByRole("button", { name: /Take back/ }), size);
    await page.waitForURL(/moves=B2$/);
    await press(point(page, "C3", 3), size);
    await page.waitForURL(/moves=B2\.C3$/);
    assert.equal(await page.locator(".tree ul li").count(), 1, "a variation");
    await press(page.locator(".tree ul button"), size);
    await page.waitForURL(/moves=B2\.(A1|C3)$/);
    await page.reload();
    await page.locator(".shudan-sign_-1.shudan-vertex").waitFor();
    assert.equal(await page.locator(".shudan-vertex.shudan-sign_1").count(), 1);
    await press(page.getByRole("button", { name: /Rotate/ }), size);
    await press(page.getByRole("button", { name: /Swap/ }), size);
    await page.waitForURL(/to_play=w/);
    await page.locator(".shudan-vertex.shudan-sign_1").waitFor();
  },

  async "explore: keyboard alone"({ start, size }) {
    if (size === "phone") return;
    const page = await start("#/explore?game=nogo&size=3x5");
    await says(verdict(page), /Black wins/);
    await page.getByTestId("board").focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowDown");
    await says(page.getByTestId("cursor"), /A1, empty, loses/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/moves=A1$/);
    await page.keyboard.press("u");
    await page.waitForURL(/size=3x5$/);
    await page.keyboard.press("r");
    await page.waitForURL(/moves=A1$/);
    await page.keyboard.press("Home");
    await page.waitForURL(/size=3x5$/);
    // From the top of the page every control is reached by Tab, and the focus is seen.
    await page.locator(".brand").focus();
    const seen = new Set();
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      seen.add(await page.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.getAttribute("aria-label") || document.activeElement?.tagName));
    }
    for (const name of ["Why?", "Edit stones", "Copy link", "Start"]) assert.ok(seen.has(name), `Tab reaches ${name}`);
  },

  async "explore: edit is not play"({ start, size }) {
    const page = await start("#/explore?game=nogo&size=3x3");
    await says(verdict(page), /wins/);
    await press(page.getByRole("button", { name: "Edit stones" }), size);
    await page.locator(".board.editing").waitFor();
    await press(point(page, "A1", 3), size);
    await page.waitForURL(/position=\.\.\.\/\.\.\.\/x\.\./);
    await press(page.getByRole("button", { name: "○ White" }), size);
    await press(point(page, "C3", 3), size);
    await page.waitForURL(/position=\.\.o\/\.\.\.\/x\.\./);
    await accessible(page, "edit");
    await shot(page, `edit-${size}-light`);
    await press(page.getByRole("button", { name: "Play moves" }), size);
    await says(verdict(page), /wins/);
    assert.ok(!/moves=/.test(page.url()));
  },

  async "explore: an impossible position says so at the board"({ start, size }) {
    const page = await start("#/explore?game=nogo&position=ox/xo", { expected: REFUSED });
    await page.locator(".stage .fault").waitFor();
    await shot(page, `fault-${size}-light`);
    await accessible(page, "fault");
    await press(page.getByRole("button", { name: "Start with an empty board" }), size);
    await says(verdict(page), /Black wins/);
  },

  async "explore: stale and broken links"({ start }) {
    const expected = REFUSED;
    for (const hash of ["#/explore?game=chess", "#/explore?game=nogo&size=99x99", "#/explore?game=nogo&size=3x3&moves=Z9", "#/explore?game=nogo&size=3x3&moves=A1.A1", "#/explore?game=nogo&position=%3Cscript%3E", "#/nowhere"]) {
      const page = await start(hash, { expected });
      await page.locator("[role=alert]").first().waitFor();
      assert.ok((await page.locator("[role=alert]").first().textContent()).length > 10);
    }
  },

  async "explore: sizes, rows, and Go with numbers"({ start, size }) {
    const page = await start("#/explore?game=nogo&size=3x3");
    await page.getByRole("spinbutton", { name: "Rows" }).fill("1");
    await page.getByRole("spinbutton", { name: "Rows" }).press("Enter");
    await page.getByRole("spinbutton", { name: "Columns" }).fill("9");
    await page.getByRole("spinbutton", { name: "Columns" }).press("Enter");
    await page.waitForURL(/size=1x9/);
    await says(verdict(page), /Black wins/);
    await page.getByRole("spinbutton", { name: "Columns" }).fill("3");
    await page.getByRole("spinbutton", { name: "Columns" }).press("Enter");
    await page.getByRole("combobox", { name: "Game" }).selectOption("go");
    await page.waitForURL(/game=go/);
    await page.getByRole("spinbutton", { name: "Rows" }).fill("3");
    await page.getByRole("spinbutton", { name: "Rows" }).press("Enter");
    await says(verdict(page), /Black wins by 9 with best play: B2/);
    assert.equal(await point(page, "B2", 3).locator(".shudan-heatlabel").textContent(), "B+9");
    await page.getByRole("button", { name: /Pass/ }).waitFor();
    await accessible(page, "go");
    await shot(page, `go-${size}-light`);
    await page.getByRole("combobox", { name: "Rules" }).selectOption("psk");
    await page.waitForURL(/rules=psk/);
  },

  async "explore: estimates look different, and a search can be stopped"({ start, size }) {
    const page = await start("#/explore?game=nogo&size=7x7");
    await page.locator(".shudan-heat_guess").first().waitFor();
    assert.match(await page.locator(".shudan-heat_guess .shudan-heatlabel").first().textContent(), /^\d+%$/);
    await accessible(page, "estimates");
    await shot(page, `estimates-${size}-light`);
    await press(page.getByRole("button", { name: "Stop" }), size);
    await press(page.getByRole("button", { name: "Go on" }), size);
    await page.getByRole("button", { name: "Stop" }).waitFor();
  },

  async "explore: the line on hover and as steps"({ start, size }) {
    const page = await start("#/explore?game=nogo&size=3x5");
    await says(verdict(page), /Black wins/);
    const steps = page.locator(".line button");
    await steps.nth(2).waitFor();
    if (size === "desktop") {
      await steps.nth(2).hover();
      assert.equal(await page.locator(".shudan-heat_stepb, .shudan-heat_stepw").count(), 3);
    }
    await press(steps.nth(2), size);
    await page.waitForURL(/moves=\w+\.\w+\.\w+$/);
  },

  async "explore: copies, pictures and records"({ start, size }) {
    const page = await start("#/explore?game=nogo&size=3x3&moves=B2.A1");
    await says(verdict(page), /wins/);
    await press(page.getByRole("button", { name: "Copy link" }), size);
    await says(page.locator(".said"), /clipboard/);
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /moves=B2\.A1/);
    await press(page.getByRole("button", { name: "Copy as text" }), size);
    await says(page.locator(".said"), /text/);
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /A\s*B\s*C/i);
    await press(page.getByRole("button", { name: "Copy as JSON" }), size);
    await says(page.locator(".said"), /JSON/);
    assert.equal(JSON.parse(await page.evaluate(() => navigator.clipboard.readText())).question.moves.length, 2);
    const files = {};
    for (const name of ["SVG", "PNG", "Save SGF"]) {
      const [download] = await Promise.all([page.waitForEvent("download"), press(page.getByRole("button", { name, exact: true }), size)]);
      files[name] = readFileSync(await download.path());
    }
    assert.match(files.SVG.toString(), /^<svg .*<\/svg>\n$/s);
    assert.equal(files.PNG.subarray(1, 4).toString(), "PNG");
    assert.match(files["Save SGF"].toString(), /;B\[bb\];W\[ac\]/);
    // the same record dropped on another board
    await page.goto(page.url().replace(/#.*/, "#/explore?game=nogo&size=4x4"));
    await page.waitForURL(/4x4/);
    const record = files["Save SGF"].toString();
    const drop = (text, name) =>
      page.evaluate(
        ([text, name]) => {
          const data = new DataTransfer();
          data.items.add(new File([text], name));
          document.querySelector(".board").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        },
        [text, name],
      );
    await drop(record, "game.sgf");
    await page.waitForURL(/moves=B2\.A1/);
    await page.locator("input[type=file]").setInputFiles({ name: "game.sgf", mimeType: "application/x-go-sgf", buffer: Buffer.from(record) });
    await page.waitForURL(/moves=B2\.A1/);
  },

  async "explore: a record of another game is refused in words"({ start }) {
    const page = await start("#/explore?game=nogo&size=3x3", { expected: REFUSED });
    await says(verdict(page), /wins/);
    await page.locator("input[type=file]").setInputFiles({ name: "chess.sgf", mimeType: "application/x-go-sgf", buffer: Buffer.from("(;GM[3]SZ[8];B[aa])") });
    await says(page.locator(".said"), /\w+/);
  },

  async "why: the loser tries, the page answers, to the end"({ start, size }) {
    const page = await start("#/why?game=nogo&size=3x5&moves=A1");
    const words = page.getByTestId("why");
    await says(words, /White wins with/);
    await press(page.getByRole("button", { name: /^Play \w\d/ }), size);
    await says(words, /Black has lost/);
    await accessible(page, "why");
    await shot(page, `why-${size}-light`);
    for (let i = 0; i < 8; i++) {
      const bad = page.locator(".shudan-heat_bad");
      if (!(await bad.count())) break;
      const before = page.url();
      await press(bad.first(), size);
      await page.waitForFunction((u) => location.href !== u, before);
      await page.waitForFunction(() => document.querySelector(".shudan-heat_bad") || /no legal move/.test(document.querySelector("[data-testid=why]").textContent));
      await page.waitForTimeout(150);
    }
    await says(words, /white wins/i);
  },

  async "why: a certificate is checked, then walked; a damaged one is not"({ start }) {
    const file = join(temporary, "3x5.cert");
    execFileSync(process.env.TENGEN ?? "../../../bin/tengen", ["solve", "nogo", "3x5", "--certificate", file]);
    const page = await start("#/why?game=nogo&size=2x2", { expected: REFUSED });
    const good = readFileSync(file);
    await page.locator("input[type=file]").setInputFiles({ name: "3x5.cert", mimeType: "application/octet-stream", buffer: good });
    await says(page.getByTestId("certificate"), /Checked and right: Black wins/);
    await page.waitForURL(/3x5|position=/);
    await says(page.getByTestId("why"), /Black wins with/);
    const damaged = Buffer.from(good);
    damaged[good.length >> 1] ^= 255;
    await page.locator("input[type=file]").setInputFiles({ name: "bad.cert", mimeType: "application/octet-stream", buffer: damaged });
    await page.locator(".column .fault").waitFor();
  },

  async "why: Go shows what a move costs"({ start, size }) {
    const page = await start("#/why?game=go&size=3x3");
    await says(page.getByTestId("why"), /Choose a move/);
    await press(point(page, "A1", 3), size);
    await says(page.getByTestId("why"), /A1 costs \d+ points/);
    await page.locator(".line button").first().waitFor();
    await accessible(page, "why go");
  },

  async "play: a game to its end, hint, take back, review"({ start, size }) {
    const page = await start("#/play?game=nogo&size=3x3");
    const status = page.getByTestId("status");
    await says(status, /Make a move to begin/);
    await press(point(page, "A1", 3), size);
    await says(status, /Your turn|wins/);
    await page.waitForURL(/moves=A1\.\w\d$/);
    await press(page.getByRole("button", { name: "Hint", exact: true }), size);
    await page.locator(".shudan-heat_good, .shudan-heat_bad").first().waitFor();
    await press(page.getByRole("button", { name: "Take back", exact: true }), size);
    await page.waitForURL(/size=3x3$/);
    await press(point(page, "B1", 3), size);
    for (let i = 0; i < 6; i++) {
      await page.waitForFunction(() => /Your turn|wins/.test(document.querySelector("[data-testid=status]").textContent));
      if (/wins/.test(await status.textContent())) break;
      const before = page.url();
      await press(page.getByRole("button", { name: "Hint", exact: true }), size);
      await press(page.locator(".shudan-heat_good, .shudan-heat_bad").first(), size);
      await page.waitForFunction((u) => location.href !== u, before);
    }
    await says(status, /wins/);
    await press(page.getByRole("button", { name: "Review this game" }), size);
    await page.getByRole("button", { name: "Review this game" }).waitFor({ timeout: 40000 });
    assert.ok((await page.locator(".curve .exact").count()) > 2);
    await accessible(page, "play");
    await shot(page, `play-${size}-light`);
  },

  async "play: White on 9×9, the opponent begins"({ start, size }) {
    const page = await start("#/play");
    await says(page.getByTestId("status"), /Make a move/);
    await press(page.getByRole("button", { name: "Play White" }), size);
    await press(page.getByRole("button", { name: "New game" }), size);
    await page.waitForURL(/size=9x9&moves=\w\d$/);
    await says(page.getByTestId("status"), /Your turn: you are White/);
  },

  async "learn: a row falls into regions with values"({ start, size }) {
    const page = await start("#/learn?game=nogo&position=..ox..oxx...");
    await says(page.getByTestId("learn"), /3 regions/);
    assert.equal(await page.locator(".region").count(), 3);
    assert.ok((await page.locator(".thermograph").count()) > 0);
    await accessible(page, "learn");
    await shot(page, `learn-${size}-light`);
    await press(page.getByRole("button", { name: "Two dimensions" }), size);
    await page.waitForURL(/position=x\.x/);
    await says(page.getByTestId("learn"), /regions/);
  },

  async "results: a cell leads to its board, command and checksum"({ start, size }) {
    const page = await start("#/results");
    const cell = page.locator(".cell").first();
    await cell.waitFor();
    await accessible(page, "results");
    await shot(page, `results-${size}-light`);
    await press(cell, size);
    await says(page.getByTestId("cell"), /tengen /);
    await accessible(page, "a result");
    await press(page.getByRole("link", { name: "Open the board" }), size);
    await page.waitForURL(/#\/explore/);
    await page.getByTestId("verdict").waitFor();
  },

  async "light and dark"({ start, size }) {
    for (const [mode, hash] of Object.entries({
      explore: "#/explore?game=nogo&size=3x5",
      why: "#/why?game=nogo&size=3x5&moves=A1.D2",
      play: "#/play?game=nogo&size=9x9&moves=E5.C3.G7",
      learn: "#/learn?game=nogo&position=..xo../..xo../..xo..",
      results: "#/results",
    })) {
      const page = await start(hash, { theme: "dark" });
      await page.waitForTimeout(1200);
      await accessible(page, `${mode} in the dark`);
      await shot(page, `${mode}-${size}-dark`);
      if (mode === "explore") {
        const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const dark = await colour();
        await press(page.locator(".theme"), size);
        assert.notEqual(await colour(), dark);
      }
    }
  },
};

// The server goes away and comes back: the page says so and carries on.
async function comesBack(browser) {
  let server = startServer();
  const origin = await server.origin;
  const { page, faults, close } = await open(browser, origin, "#/explore?game=nogo&size=3x3", { expected: ["Failed to load resource"] });
  await says(verdict(page), /wins/);
  await server.stop();
  await point(page, "A1", 3).click();
  await says(page.getByTestId("gone"), /does not answer/);
  server = startServer(new URL(origin).port);
  await server.origin;
  await page.getByTestId("gone").waitFor({ state: "detached" });
  await says(verdict(page), /wins/);
  assert.deepEqual(faults, []);
  await close();
  await server.stop();
}

const server = startServer();
const { browser, stop } = await startBrowser();
let failed = 0;
if (shots) mkdirSync(shots, { recursive: true });
const origin = process.env.ORIGIN ?? (await server.origin);

async function attempt(name, test) {
  const began = Date.now();
  try {
    await test();
    console.log(`ok   ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (e) {
    failed++;
    console.log(`FAIL ${name}\n     ${String(e.stack).split("\n").slice(0, 14).join("\n     ")}`);
  }
}

for (const size of ["desktop", "phone"]) {
  for (const [name, test] of Object.entries(tests)) {
    if (only.length && !only.some((o) => `${name} (${size})`.includes(o))) continue;
    const opened = [];
    const start = async (hash, options) => {
      const o = await open(browser, origin, hash, { size, ...options });
      opened.push(o);
      return o.page;
    };
    await attempt(`${name} (${size})`, async () => {
      try {
        await test({ start, size });
        assert.deepEqual(opened.flatMap((o) => o.faults), []);
      } catch (e) {
        if (shots && opened.length) await opened.at(-1).page.screenshot({ path: join(shots, `FAIL-${name.replace(/\W+/g, "-")}-${size}.png`) });
        const faults = opened.flatMap((o) => o.faults);
        if (faults.length) e.stack += `\n${faults.join("\n")}`;
        throw e;
      } finally {
        for (const o of opened) await o.close();
      }
    });
  }
}
if (!only.length || only.includes("gone")) await attempt("the server goes away and comes back", () => comesBack(browser));
await stop();
await server.stop();
rmSync(temporary, { recursive: true, force: true });
if (failed) {
  console.log(`${failed} failed`);
  process.exit(1);
}
