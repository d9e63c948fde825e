// In place of a server: the page's requests are answered by workers in this tab, which run
// the program. The page asks with fetch as it always does.
"use strict";
(() => {
  const { version, memory } = document.currentScript.dataset;
  const base = new URL("./", document.baseURI).href;
  const ours = /^(api\/v1\/|healthz$|readyz$|openapi\.(json|yaml)$)/;

  // Every worker is a server of its own. Analyses have one, moves and proofs another, so that
  // a game goes on while a position is analysed; the rest is quick and never waits.
  const shares = { quick: 1, search: 4, short: 3 };
  const searches = /^api\/v1\/(analyse|probe|review|table)$/;
  const shorts = /^api\/v1\/(play|why|certificates|learn)$/;
  const roleOf = (path) => (searches.test(path) ? "search" : shorts.test(path) ? "short" : "quick");

  const MISSING = "This browser cannot run the program: it needs WebAssembly, workers and gzip streams. A newer browser can.";
  const TRUNCATED = "The program did not arrive whole. Reload the page, or ask whoever put it here to copy all files again.";
  const DIED = "The browser has no memory left for this question. Smaller boards still work.";

  // problem is an answer in the form of the API.
  const problem = (status, detail) =>
    new Response(JSON.stringify({ title: "Not answered", status, detail }), { status, headers: { "Content-Type": "application/problem+json" } });

  const able = typeof WebAssembly === "object" && typeof Worker === "function" && typeof DecompressionStream === "function";

  let compiled;
  // program compiles the program once for all workers.
  function program() {
    compiled ??= fetched("program.bin").then((packed) => {
      const plain = packed.body.pipeThrough(new DecompressionStream("gzip"));
      return WebAssembly.compileStreaming(new Response(plain, { headers: { "Content-Type": "application/wasm" } }));
    });
    compiled.catch(() => (compiled = undefined));
    return compiled;
  }

  const native = window.fetch.bind(window);
  async function fetched(name) {
    const response = await native(base + name);
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    return response;
  }

  const workers = {};
  let last = 0;

  // worker starts the one of a role, if it does not run.
  function worker(role) {
    workers[role] ??= start(role);
    workers[role].catch(() => delete workers[role]);
    return workers[role];
  }

  async function start(role) {
    const module = await program();
    const thread = new Worker(base + "worker.js");
    const open = new Map();
    const ended = () => {
      delete workers[role];
      thread.terminate();
      for (const request of open.values()) request.died();
      open.clear();
    };
    await new Promise((ready, failed) => {
      thread.onerror = (event) => {
        failed(new Error(event.message));
        ended();
      };
      thread.onmessage = ({ data }) => {
        if (data.ready) ready();
        else if (data.exit !== undefined) {
          failed(new Error(`exit ${data.exit}`));
          ended();
        } else {
          open.get(data.id)?.[data.kind](data);
          if (data.kind === "end") open.delete(data.id);
        }
      };
      thread.postMessage({ module, version, memory: Math.floor((memory * shares[role]) / 8), base });
    });
    return { thread, open };
  }

  async function ask(path, init) {
    if (!able) return problem(501, MISSING);
    let to;
    try {
      to = await worker(roleOf(path.split("?")[0]));
    } catch (e) {
      if (!navigator.onLine) throw new TypeError("offline");
      return problem(500, e instanceof WebAssembly.CompileError || e instanceof TypeError ? TRUNCATED : DIED);
    }
    const request = new Request(base + path, { ...init, signal: undefined });
    const body = new Uint8Array(await request.arrayBuffer());
    const { signal } = init;
    signal?.throwIfAborted();
    const id = ++last;
    return new Promise((resolve, reject) => {
      let stream;
      const pieces = new ReadableStream({
        start: (controller) => (stream = controller),
        cancel: () => stop(),
      });
      const stop = () => to.thread.postMessage({ id, kind: "cancel" });
      const aborted = () => {
        if (!to.open.delete(id)) return;
        stop();
        reject(signal.reason);
        stream.error(signal.reason);
      };
      signal?.addEventListener("abort", aborted, { once: true });
      const done = () => signal?.removeEventListener("abort", aborted);
      to.open.set(id, {
        head: ({ status, headers }) => resolve(new Response([204, 304].includes(status) ? null : pieces, { status, headers })),
        piece: ({ piece }) => {
          try {
            stream.enqueue(piece);
          } catch {
            // nobody reads any more
          }
        },
        end: () => {
          done();
          try {
            stream.close();
          } catch {
            // nobody reads any more
          }
        },
        died: () => {
          done();
          resolve(problem(503, DIED));
          try {
            stream.error(new TypeError(DIED));
          } catch {
            // it was closed
          }
        },
      });
      to.thread.postMessage({ id, kind: "ask", method: request.method, path, headers: [...request.headers], body }, [body.buffer]);
    });
  }

  window.fetch = (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input, document.baseURI).href;
    const path = url.startsWith(base) ? url.slice(base.length) : "";
    return ours.test(path.split("?")[0]) ? ask(path, init) : native(input, init);
  };

  // After the first visit the page opens without a network.
  if (window.isSecureContext && "serviceWorker" in navigator) navigator.serviceWorker.register(base + "offline.js").catch(() => {});
  if (able) worker("quick").catch(() => {});
})();
