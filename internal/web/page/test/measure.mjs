// Measures the page of a folder beside that of tengen serve, and prints tables; docs/site.md has
// the results. SITE is the folder, TENGEN the program, CHROMIUM the browser:
//
//	node test/measure.mjs                times, sizes, NoGo 4×5 in the tab
//	node test/measure.mjs network        moves and evaluations of the network
//	node test/measure.mjs use MINUTES    memory while somebody uses it at random

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { open, program, startBrowser, startServer, startSite } from "./browser.mjs";

const folder = process.env.SITE;
const [what = "times", ...more] = process.argv.slice(2);

// children are the processes that a process started, and those that they started.
function children(parent) {
  const found = [parent];
  for (const pid of found) {
    try {
      found.push(...readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number));
    } catch {
      // it has ended
    }
  }
  return found.slice(1);
}

const commandOf = (pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8");
const renderers = () => children(process.pid).filter((pid) => {
  try {
    return commandOf(pid).includes("--type=renderer");
  } catch {
    return false;
  }
});

// slowed lets the pages and their workers run a quarter of the time. The debugger's own
// setting slows the page and not its workers.
function slowed() {
  const DUTY = { SIGCONT: 10, SIGSTOP: 30 }; // milliseconds
  let timer;
  const turn = (name) => {
    for (const pid of renderers()) {
      try {
        process.kill(pid, name);
      } catch {
        // it has ended
      }
    }
    timer = setTimeout(turn, DUTY[name], name === "SIGSTOP" ? "SIGCONT" : "SIGSTOP");
  };
  turn("SIGSTOP");
  return () => (clearTimeout(timer), turn("SIGCONT"), clearTimeout(timer));
}

const QUESTIONS = [
  ["first exact result, NoGo 4×4", "#/explore?game=nogo&size=4x4", () => /wins/.test(document.querySelector(".verdict strong")?.textContent)],
  ["first exact result, Go 3×3", "#/explore?game=go&rules=basic&size=3x3", () => /wins|\+/.test(document.querySelector(".verdict strong")?.textContent)],
  ["all moves of NoGo 4×5", "#/explore?game=nogo&size=4x5", () => document.querySelectorAll(".shudan-heat_good, .shudan-heat_bad").length === 20],
];
const REPEATS = Number(process.env.REPEATS ?? 3);
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

// times are seconds from the beginning of a visit with an empty cache, the median of some.
async function times(browser, start, size, slow) {
  const row = {};
  for (const [name, hash, shown] of QUESTIONS) {
    const seconds = [];
    for (let i = 0; i < REPEATS; i++) {
      const server = start(); // a server keeps what it has found
      const stop = slow ? slowed() : () => undefined;
      const { page, close } = await open(browser, await server.origin, hash, { size });
      await page.waitForFunction(shown, undefined, { polling: "raf" });
      seconds.push(await page.evaluate(() => performance.now()));
      (row["first paint"] ??= []).push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
      stop();
      await close();
      await server.stop();
    }
    row[name] = (median(seconds) / 1000).toFixed(2);
  }
  row["first paint"] = (median(row["first paint"]) / 1000).toFixed(2);
  return row;
}

async function measureTimes(browser) {
  const rows = {};
  for (const [size, slow] of [["desktop", false], ["phone", true]]) {
    rows[`folder, ${size}`] = await times(browser, () => startSite(folder), size, slow);
    rows[`tengen serve, ${size}`] = await times(browser, () => startServer(), size, slow);
  }
  console.table(rows);
}

async function measureSizes(browser) {
  const site = startSite(folder);
  const names = new Set();
  const origin = await site.origin;
  const { page, close } = await open(browser, origin, "#/start", {});
  page.on("request", (r) => names.add(new URL(r.url()).pathname.replace("/go/", "") || "index.html"));
  await page.goto(`${origin}/?again#/explore?game=nogo&size=3x5`);
  await page.waitForFunction(() => /wins/.test(document.querySelector(".verdict strong")?.textContent));
  const sizes = [...names].map((name) => [name, readFileSync(join(folder, name))]).map(([name, content]) => ({ name, bytes: content.length, compressed: name.endsWith(".bin") ? content.length : gzipSync(content).length }));
  console.table(sizes);
  console.log(`first visit: ${sizes.reduce((sum, s) => sum + s.compressed, 0)} bytes compressed, ${sizes.reduce((sum, s) => sum + s.bytes, 0)} as the files are`);
  await close();
  await site.stop();
}

async function measureSolve(browser) {
  const site = startSite(folder);
  const { page, close } = await open(browser, await site.origin, "#/explore?game=nogo&size=3x5", {});
  await page.waitForFunction(() => /wins/.test(document.querySelector(".verdict strong")?.textContent));
  const native = JSON.parse(execFileSync(program, ["solve", "nogo", "4x5", "--threads", "1", "--memory", "64MiB", "--json"], { stdio: ["ignore", "pipe", "ignore"] }));
  const tab = JSON.parse(await page.workers()[0].evaluate(() => new Promise((done) => tengenSolve("4x5", 2 ** 26, done))));
  console.log(`NoGo 4×5, one thread: ${native.nodes} positions in ${native.seconds.toFixed(2)} s; in the tab ${tab.nodes} in ${tab.seconds.toFixed(2)} s, ${(tab.seconds / native.seconds).toFixed(1)} times slower`);
  await close();
  await site.stop();
}

async function measureNetwork(browser) {
  for (const start of [() => startSite(folder), () => startServer(0, "--threads", "1")]) {
    const server = start();
    const { page, close } = await open(browser, await server.origin, "#/results", {});
    for (const [size, level] of [["9x9", 5], ["9x9", 6], ["9x9", 7], ["9x9", 8], ["9x9", 9], ["9x9", 10]]) {
      const [seconds, says] = await page.evaluate(
        async ([size, level]) => {
          const ask = (moves) => fetch("api/v1/play", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ game: "nogo", size, moves, player: "net", level, seconds: 1 }) }).then((r) => r.json());
          await ask([]); // the network is read
          const began = performance.now();
          const { says } = await ask(["E5", "C3"]);
          return [(performance.now() - began) / 1000, says];
        },
        [size, level],
      );
      console.log(`${await server.origin} level ${level}: ${seconds.toFixed(2)} s: ${says}`);
    }
    await close();
    await server.stop();
  }
}

// use opens positions and plays moves at random, and prints the memory of the pages.
async function use(browser, minutes) {
  const site = startSite(folder);
  const { page, faults } = await open(browser, await site.origin, "#/start", {});
  const pick = (list) => list[Math.floor(Math.random() * list.length)];
  const began = Date.now();
  let done = 0;
  for (let said = 0; Date.now() - began < minutes * 60_000; done++) {
    const [game, sizes] = pick([["nogo", ["3x3", "4x4", "3x5", "4x5", "5x5", "6x6", "9x9", "1x12"]], ["go&rules=basic", ["2x2", "3x3", "3x4", "4x4", "5x5"]], ["go&rules=psk", ["1x7", "2x3"]]]);
    await page.evaluate((to) => (location.hash = to), `#/${pick(["explore", "explore", "why", "play", "learn", "results"])}?game=${game}&size=${pick(sizes)}`);
    for (let i = 0; i < 4; i++) {
      await page.waitForTimeout(500 + Math.random() * 3000);
      const points = await page.locator(".shudan-vertex").count();
      if (points) await page.locator(".shudan-vertex").nth(Math.floor(Math.random() * points)).click({ timeout: 2000 }).catch(() => undefined);
    }
    if (Date.now() - began >= said * 60_000) {
      const rss = renderers().map((pid) => Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) >> 10);
      const workers = await Promise.all(page.workers().map((w) => w.evaluate(() => globalThis.tengenMemory.buffer.byteLength >> 20).catch(() => 0)));
      console.log(`${said++} min: ${done} positions, the process ${Math.max(...rss)} MiB, its workers ${workers.join(" + ")} MiB, ${faults.length} faults`);
    }
  }
  console.log(faults.slice(0, 20).join("\n"));
  await site.stop();
}

const { browser, stop } = await startBrowser();
if (what === "use") await use(browser, Number(more[0] ?? 15));
else if (what === "network") await measureNetwork(browser);
else {
  await measureSizes(browser);
  await measureSolve(browser);
  await measureTimes(browser);
}
await stop();
