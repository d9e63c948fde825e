// Runs worker.js in a thread of Node, with what it expects of a browser.
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
import { parentPort } from "node:worker_threads";

const file = (name) => readFileSync(new URL(name, import.meta.url));
globalThis.self = globalThis;
globalThis.tengenFile = (name) => new Uint8Array(file(name));
globalThis.importScripts = (name) => runInThisContext(file(name).toString(), { filename: name });
globalThis.postMessage = (data, transfer) => parentPort.postMessage(data, transfer);
// The program gives way to other events by messages to itself. Node would read up to a thousand
// of them before any other event.
globalThis.MessageChannel = class {
  port1 = {};
  port2 = { postMessage: () => setImmediate(() => this.port1.onmessage()) };
};
importScripts("worker.js");
parentPort.on("message", (data) => globalThis.onmessage({ data }));
