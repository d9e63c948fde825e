// The library in Node.
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { open } from "./client.js";
import { through } from "./server.js";
import { settings } from "./settings.js";

// Thread is a worker as browsers have them. One that has nothing to do does not keep the
// program from ending.
class Thread {
  #worker = new Worker(new URL("./node-worker.js", import.meta.url));
  #busy = 0;

  constructor() {
    this.#worker.on("message", (data) => {
      if (data.ready || data.kind === "end") this.#work(-1);
      this.onmessage({ data });
    });
    this.#worker.on("error", (error) => this.onerror(error));
  }

  #work(change) {
    this.#busy += change;
    this.#worker[this.#busy ? "ref" : "unref"]();
  }

  postMessage(data, transfer) {
    if (data.kind !== "cancel") this.#work(1);
    this.#worker.postMessage(data, transfer);
  }

  terminate() {
    this.#worker.terminate();
  }
}

const read = async (url) => new Response(Readable.toWeb(createReadStream(fileURLToPath(url))));
const { ask, close } = open({ settings, base: new URL("./", import.meta.url).href, read, Thread });
through(ask);

export { close, settings };
export { analyse, Gone, play, Refused, solve, value, why } from "./library.js";
