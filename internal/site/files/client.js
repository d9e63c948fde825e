// Asks the program, which runs in workers, with requests like those of fetch. The page and the
// library of the npm package both use it; what differs between a browser and Node is given.

// Every worker is a server of its own. Analyses have one, moves and proofs another, so that a
// game goes on while a position is analysed; the rest is quick and never waits.
const shares = { quick: 1, search: 4, short: 3 };
const searches = /^api\/v1\/(analyse|probe|review|table)$/;
const shorts = /^api\/v1\/(play|why|certificates|learn)$/;
const roleOf = (path) => (searches.test(path) ? "search" : shorts.test(path) ? "short" : "quick");

// The page says these in the reader's language, by their codes.
const PROBLEMS = {
  browser: [501, "This browser cannot run the program: it needs WebAssembly, workers and gzip streams. A newer browser can."],
  download: [500, "The program did not arrive whole. Reload the page, or ask whoever put it here to copy all files again."],
  memory: [422, "The browser has no memory left for this question. Smaller boards still work."],
};

// Failure is a problem that has a code.
class Failure extends Error {
  constructor(code) {
    super(PROBLEMS[code][1]);
    this.code = code;
  }
}

// problem is an answer in the form of the API.
function problem({ code, message }) {
  const status = PROBLEMS[code][0];
  return new Response(JSON.stringify({ type: `tengen:${code}`, title: "Not answered", status, detail: message }), { status, headers: { "Content-Type": "application/problem+json" } });
}

// open gives a function that is called as fetch is, with paths of the API. base is the folder of
// the files, settings have the version and the memory of all workers, read fetches a file, and
// Thread is the class of workers.
export function open({ base, settings, read, Thread }) {
  const able = typeof WebAssembly === "object" && typeof Thread === "function" && typeof DecompressionStream === "function";

  let compiled;
  // program compiles the program once for all workers.
  function program() {
    compiled ??= read(base + "program.bin").then(async (packed) => {
      try {
        if (!packed.ok) throw new Error(String(packed.status));
        const plain = packed.body.pipeThrough(new DecompressionStream("gzip"));
        return await WebAssembly.compileStreaming(new Response(plain, { headers: { "Content-Type": "application/wasm" } }));
      } catch {
        throw new Failure("download");
      }
    });
    compiled.catch(() => (compiled = undefined));
    return compiled;
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
    const thread = new Thread(base + "worker.js");
    const open = new Map();
    const ended = () => {
      delete workers[role];
      thread.terminate();
      for (const request of open.values()) request.died();
      open.clear();
    };
    await new Promise((ready, failed) => {
      thread.onerror = (event) => {
        event.preventDefault?.(); // the answer says it
        failed(new Failure("download"));
        ended();
      };
      thread.onmessage = ({ data }) => {
        if (data.ready) ready();
        else if (data.exit !== undefined) {
          failed(new Failure("memory"));
          ended();
        } else {
          open.get(data.id)?.[data.kind](data);
          if (data.kind === "end") open.delete(data.id);
        }
      };
      thread.postMessage({ module, version: settings.version, memory: Math.floor((settings.memory * shares[role]) / 8), base });
    });
    return { thread, open };
  }

  async function ask(path, init = {}) {
    if (!able) return problem(new Failure("browser"));
    let to;
    try {
      to = await worker(roleOf(path.split("?")[0]));
    } catch (e) {
      if (e instanceof Failure) return problem(e);
      throw e; // nobody hands out the files
    }
    const request = new Request("http://localhost/" + path, { ...init, signal: undefined });
    const body = new Uint8Array(await request.arrayBuffer());
    const { signal } = init;
    signal?.throwIfAborted();
    const id = ++last;
    return new Promise((resolve, reject) => {
      let stream;
      let events = false;
      const pieces = new ReadableStream({
        start: (controller) => (stream = controller),
        cancel: () => stop(),
      });
      // attempt does to the stream what fails if nobody reads it any more.
      const attempt = (action) => {
        try {
          action();
        } catch {
          // it was closed
        }
      };
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
        head: ({ status, headers }) => {
          events = headers.some(([name, value]) => name.toLowerCase() === "content-type" && value.startsWith("text/event-stream"));
          resolve(new Response([204, 304].includes(status) ? null : pieces, { status, headers }));
        },
        piece: ({ piece }) => attempt(() => stream.enqueue(piece)),
        end: () => {
          done();
          attempt(() => stream.close());
        },
        died: () => {
          done();
          const failure = new Failure("memory");
          resolve(problem(failure));
          attempt(() => {
            if (!events) return stream.error(failure);
            stream.enqueue(new TextEncoder().encode(`event: problem\ndata: ${JSON.stringify({ message: failure.message, code: failure.code })}\n\n`));
            stream.close();
          });
        },
      });
      to.thread.postMessage({ id, kind: "ask", method: request.method, path, headers: [...request.headers], body }, [body.buffer]);
    });
  }

  // close ends the workers, and what they do.
  const close = async () => {
    for (const w of Object.values(workers)) (await w.catch(() => undefined))?.thread.terminate();
    for (const role of Object.keys(workers)) delete workers[role];
  };
  return { ask, close, ready: () => (able ? worker("quick") : undefined) };
}
