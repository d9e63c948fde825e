// A browser, a server, and what every test watches for: nothing on the console, no
// request to anywhere else.

import { spawn } from "node:child_process";
import { mkdtempSync, readFile, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { chromium } from "playwright-core";

export const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 }, huge: { width: 3840, height: 2160 } };

// Tests wait for states, never for time. A wait that ends by this limit has failed, on
// however busy a machine.
export const PATIENCE = Number(process.env.PATIENCE ?? 120_000);

export const program = process.env.TENGEN ?? "../../../bin/tengen";

export function startServer(port = 0, ...more) {
  const cache = mkdtempSync(join(tmpdir(), "tengen-page-"));
  const server = spawn(program, ["serve", "--addr", `127.0.0.1:${port}`, "--parallel", "4", "--per-client", "32", ...more], {
    env: { ...process.env, XDG_CACHE_HOME: cache },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const origin = new Promise((found, fail) => {
    const read = (chunk) => {
      said += chunk;
      const m = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
      if (m) found(m[0]);
    };
    server.stdout.on("data", read);
    server.stderr.on("data", read);
    server.on("exit", (code) => fail(new Error(`the server ended with ${code}: ${said}`)));
  });
  const stop = () =>
    new Promise((done) => {
      server.once("exit", () => {
        rmSync(cache, { recursive: true, force: true });
        done();
      });
      server.kill("SIGTERM");
    });
  return { origin, stop };
}

// startSite hands a folder of static files out, as any web server would, under a sub-path. A
// test may change what arrives: undefined is a file that is missing.
export function startSite(folder, change = (_name, content) => content) {
  const kinds = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml", png: "image/png", webmanifest: "application/manifest+json" };
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://site").pathname;
    const name = path.replace(/^\/go\//, "").replace(/^$/, "index.html");
    readFile(join(folder, normalize("/" + name)), (_missing, whole) => {
      const content = whole && change(name, whole);
      const kind = kinds[name.split(".").pop()] ?? "application/octet-stream";
      response.writeHead(!content || !path.startsWith("/go/") ? 404 : 200, { "Content-Type": kind });
      response.end(content);
    });
  });
  const origin = new Promise((found) => server.listen(0, "127.0.0.1", () => found(`http://127.0.0.1:${server.address().port}/go`)));
  return { origin, stop: async () => (server.closeAllConnections(), new Promise((done) => server.close(done))) };
}

// Servers have a cache folder of their own, where they do not find the token of a master.
process.env.TENGEN_TOKEN ??= "page";

// startMaster searches a board that takes long and has nobody to do it, with a NATS server
// that others can join.
export function startMaster(store) {
  const master = spawn(program, ["cluster", "solve", "nogo", "5x5", "--workers", "0", "--listen", "127.0.0.1:0", "--store", store], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  const nats = new Promise((found, fail) => {
    master.stderr.on("data", (chunk) => {
      said += chunk;
      const m = /nats:\/\/127\.0\.0\.1:\d+/.exec(said);
      if (m) found(m[0]);
    });
    master.on("exit", (code) => fail(new Error(`the master ended with ${code}: ${said}`)));
  });
  const ended = new Promise((done) => master.once("exit", done));
  return { nats, kill: () => (master.kill("SIGKILL"), ended) };
}

export async function startBrowser() {
  const profile = mkdtempSync(join(tmpdir(), "tengen-chromium-"));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    env: { ...process.env, HOME: profile },
  });
  return { browser, stop: async () => (await browser.close(), rmSync(profile, { recursive: true, force: true })) };
}

// open gives a page that remembers what must not happen. expected are messages that the
// browser itself logs when a test provokes them, such as a refused question. With clock
// the time of the page is the test's to move. A script runs before those of the page,
// and before is called with the page while it is empty.
export async function open(browser, origin, hash, { size = "desktop", theme = "light", expected = [], clock = false, dots = 1, locale = "en-US", script, before } = {}) {
  const touch = size === "phone";
  const context = await browser.newContext({ viewport: SIZES[size], deviceScaleFactor: dots, hasTouch: touch, isMobile: touch, colorScheme: theme, locale, reducedMotion: "reduce", acceptDownloads: true });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (m) => {
    if (["error", "warning"].includes(m.type()) && !expected.some((e) => m.text().includes(e))) faults.push(`console: ${m.text()} ${m.location().url}`);
  });
  page.on("pageerror", (e) => faults.push(`error: ${e.stack}`));
  page.on("request", (r) => {
    if (!r.url().startsWith(`${origin}/`) && !/^(blob|data):/.test(r.url())) faults.push(`request to ${r.url()}`);
  });
  page.setDefaultTimeout(PATIENCE);
  if (clock) await page.clock.install();
  if (script) await page.addInitScript(script);
  await before?.(page);
  await page.goto(`${origin}/${hash}`);
  return { page, faults, close: () => context.close() };
}
