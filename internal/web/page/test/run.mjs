// The page in a real browser, against the real server: `make page-test`.
//
// Tests run at desktop size with mouse and keyboard and at phone size with touch. A test
// fails on anything on the console, on a request to another origin, and on anything that
// axe-core finds. With SHOTS=DIR the pictures of every mode go to that folder. Words on
// the command line choose the tests whose names have one of them.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { open, startBrowser, startServer, startSite } from "./browser.mjs";
import { pictures } from "./pictures.mjs";
import { site } from "./site.mjs";
import { alone, temporary, tests } from "./tests.mjs";

// With SITE=DIR the page is that of a folder of tengen site, and no server answers. The tests
// are the same, but for those of the server itself and these:
const serverOnly = [
  "explore: a missing table is built, with progress, and can be stopped", // a tab builds none that take long
  "explore: a board that is too large says what is known and what can be done", // nor does it offer to
];

const only = process.argv.slice(2);
const shots = process.env.SHOTS;
const WORKERS = 3; // most of a test is waiting

const server = process.env.SITE ? startSite(process.env.SITE) : startServer();
const { browser, stop } = await startBrowser();
const origin = await server.origin;
if (shots) mkdirSync(shots, { recursive: true });

const queue = [];
const chosen = (name) => !only.length || only.some((o) => name.includes(o));
for (const size of ["desktop", "phone"]) {
  for (const [title, test] of Object.entries(tests)) {
    const name = `${title} (${size})`;
    if (process.env.SITE && serverOnly.includes(title)) continue;
    if (chosen(name)) queue.push({ name, test, size });
  }
}
for (const [name, test] of Object.entries(process.env.SITE ? site : alone)) if (chosen(name)) queue.push({ name, test, size: "desktop" });
if (shots && chosen("pictures")) queue.push({ name: "pictures", test: (t) => pictures(t, shots), size: "desktop" });

// A test that runs out of time beside others is run once more alone, and the output says so.
const again = [];
let failed = 0;
async function attempt({ name, test, size, late }) {
  const opened = [];
  const start = async (hash, options) => {
    const o = await open(browser, options?.origin ?? origin, hash, { size, ...options });
    opened.push(o);
    return o.page;
  };
  const began = Date.now();
  let wrong;
  try {
    await test({ start, size, browser, origin });
  } catch (e) {
    wrong = String(e.stack).split("\n").slice(0, 14).join("\n     ");
    if (shots && opened.length) await opened.at(-1).page.screenshot({ path: join(shots, `FAIL-${name.replace(/\W+/g, "-")}.png`) });
  }
  const faults = opened.flatMap((o) => o.faults);
  for (const o of opened) await o.close();
  if (!late && !faults.length && /TimeoutError|Timeout \d+ms exceeded/.test(wrong ?? "")) {
    console.log(`LATE ${name}: once more alone\n     ${wrong}`);
    again.push({ name, test, size, late: true });
  } else if (wrong || faults.length) {
    failed++;
    console.log(`FAIL ${name}\n     ${[wrong, ...faults].filter(Boolean).join("\n     ")}`);
  } else {
    console.log(`ok   ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  }
}

const began = Date.now();
await Promise.all(
  Array.from({ length: WORKERS }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await attempt(next);
  }),
);
for (const test of again) await attempt(test);
await stop();
await server.stop();
rmSync(temporary, { recursive: true, force: true });
console.log(failed ? `${failed} failed` : `all passed in ${Math.round((Date.now() - began) / 1000)} s`);
process.exit(failed ? 1 : 0);
