// Tests of the page without a server: what only a folder of static files has, and what goes
// wrong only there.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { gunzipSync, gzipSync } from "node:zlib";
import { program, startSite } from "./browser.mjs";
import { says, verdict } from "./tests.mjs";

const folder = process.env.SITE;
const SMALL = "#/explore?game=nogo&size=3x5";
const SOLVED = /Black wins with 11 of 15 moves/;
const MEMORY = 1024; // pages of 64 KiB: 64 MiB
const NOT_LOADED = ["Failed to load resource"];

// resultsWork opens the one page that needs no program.
async function resultsWork(page) {
  await page.getByRole("link", { name: "Results" }).click();
  await page.locator(".cell").first().waitFor();
}

// refuses expects one sentence where the result would be, and the page that needs no program.
async function refuses(start, options, sentence) {
  const page = await start(SMALL, options);
  await says(page.getByRole("alert"), sentence);
  assert.equal(await page.getByRole("alert").count(), 1, "it is said once");
  assert.equal(await verdict(page).textContent(), "", "nothing else is said");
  await resultsWork(page);
}

const withSite = async (change, test) => {
  const site = startSite(folder, change);
  try {
    await test(await site.origin, site);
  } finally {
    await site.stop();
  }
};

// limited is the program with a largest memory, in pages of 64 KiB: a browser that has no more.
function limited(packed, most) {
  const code = gunzipSync(packed);
  const number = (at) => {
    let value = 0;
    let shift = 0;
    for (; code[at] & 0x80; shift += 7) value |= (code[at++] & 0x7f) << shift;
    return [value | (code[at] << shift), at + 1];
  };
  const written = (value) => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...written(value >> 7)]);
  for (let at = 8; at < code.length; ) {
    const [length, body] = number(at + 1);
    if (code[at] === 5) {
      assert.deepEqual([...code.subarray(body, body + 2)], [1, 0], "one memory without a limit");
      const section = [1, 1, ...written(number(body + 2)[0]), ...written(most)];
      return gzipSync(Buffer.concat([code.subarray(0, at), Buffer.from([5, ...written(section.length), ...section]), code.subarray(body + length)]), { level: 1 });
    }
    at = body + length;
  }
  throw new Error("the program has no memory");
}

// samePositions compares the searches node for node: by one thread, from an empty table of the
// same size, without the book.
const samePositions = (size) => async ({ start }) => {
  const native = JSON.parse(execFileSync(program, ["solve", "nogo", size, "--threads", "1", "--memory", "64MiB", "--json"], { stdio: ["ignore", "pipe", "ignore"] }));
  const page = await start(SMALL);
  await says(verdict(page), SOLVED);
  const tab = JSON.parse(await page.workers()[0].evaluate((size) => new Promise((done) => tengenSolve(size, 2 ** 26, done)), size));
  assert.deepEqual([tab.winner, tab.nodes], [native.winner, native.nodes]);
};

export const site = {
  async "site: after the first visit it works without a network"({ start }) {
    await withSite(undefined, async (origin, server) => {
      const page = await start(SMALL, { origin });
      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.waitForFunction(() => navigator.serviceWorker.controller);
      await server.stop();
      await page.reload();
      await says(verdict(page), SOLVED);
      await page.goto(`${origin}/#/play?game=nogo&size=7x7`);
      await page.getByRole("button", { name: "New game" }).click();
      await resultsWork(page);
      const move = await page.evaluate(() => fetch("api/v1/play", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ game: "nogo", size: "9x9", player: "net", level: 5 }) }).then((r) => r.json()));
      assert.match(move.move, /^[A-J][1-9]$/, "the network is kept, too");
    });
  },

  async "site: it can be installed"({ start }) {
    const page = await start(SMALL);
    const debug = await page.context().newCDPSession(page);
    const { errors, data, url } = await debug.send("Page.getAppManifest");
    assert.deepEqual(errors, []);
    const { installabilityErrors } = await debug.send("Page.getInstallabilityErrors");
    assert.deepEqual(installabilityErrors.map((e) => e.errorId).filter((e) => e !== "in-incognito"), []);
    const manifest = JSON.parse(data);
    assert.equal(manifest.display, "standalone");
    for (const { src, sizes } of manifest.icons) {
      const width = await page.evaluate(async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        return image.naturalWidth;
      }, new URL(src, url).href);
      if (sizes !== "any") assert.equal(`${width}x${width}`, sizes, src);
    }
    await says(verdict(page), SOLVED);
  },

  async "site: scripts come from the folder, and none is made of text"({ start }) {
    const page = await start(SMALL, { expected: ["Content Security Policy", "unsafe-eval"] });
    await says(verdict(page), SOLVED);
    const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
    assert.match(policy, /script-src 'self' 'wasm-unsafe-eval';/);
    assert.match(policy, /connect-src 'self';/);
    assert.doesNotMatch(policy, /'unsafe-/);
    const made = await page.evaluate(() => new Promise((done) => setTimeout(() => {
      try {
        done(String(new Function("return 1")()));
      } catch (e) {
        done(e.name);
      }
    }))); // later, for the debugger itself is allowed to
    assert.equal(made, "EvalError");
  },

  async "site: a browser without WebAssembly, workers or gzip says so"({ start }) {
    for (const missing of ["WebAssembly", "Worker", "DecompressionStream"]) {
      await refuses(start, { script: `delete globalThis.${missing}` }, /^This browser cannot run the program: it needs WebAssembly, workers and gzip streams\./);
    }
  },

  async "site: a program that did not arrive whole says so"({ start }) {
    for (const [file, cut] of [["program.bin", (c) => c.subarray(0, 1 << 20)], ["program.bin", () => undefined], ["worker.js", () => undefined], ["wasm_exec.js", () => undefined]]) {
      await withSite((name, content) => (name === file ? cut(content) : content), async (origin) => {
        await refuses(start, { origin, expected: NOT_LOADED }, /^The program did not arrive whole\./);
      });
    }
  },

  async "site: a browser that has no room to keep it says so, and answers"({ start }) {
    await withSite(undefined, async (origin) => {
      const page = await start("#/start", { origin, before: async (page) => {
        const debug = await page.context().newCDPSession(page);
        await debug.send("Storage.overrideQuotaForOrigin", { origin: new URL(origin).origin, quotaSize: 1000 });
      } });
      await says(page.getByTestId("notice"), /^The browser has no room to keep this page\. Everything works, but not without a network\.$/);
      await page.evaluate((to) => (location.hash = to), SMALL);
      await says(verdict(page), SOLVED);
    });
  },

  async "site: a question that the memory cannot hold is refused, and smaller boards work"({ start }) {
    await withSite((name, content) => (name === "program.bin" ? limited(content, MEMORY) : content), async (origin) => {
      const page = await start("#/explore?game=nogo&size=5x6", { origin });
      await says(page.getByTestId("trouble"), /The browser has no memory left for this question\. Smaller boards still work\./);
      await page.evaluate((to) => (location.hash = to), SMALL);
      await says(verdict(page), SOLVED);
    });
  },

  "site: NoGo 4×4 is solved by the same positions as elsewhere": samePositions("4x4"),
  "long: NoGo 4×5 is solved by the same positions as elsewhere": samePositions("4x5"),
};
