// Runs the program and hands it requests.
"use strict";
importScripts("wasm_exec.js");

const cancels = new Map();
let base = "";

// tengenFile reads a file of the folder at once, as the program asks for it. Node has its own.
self.tengenFile ??= (name) => {
  const request = new XMLHttpRequest();
  request.open("GET", base + name, false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${name}: ${request.status}`);
  return new Uint8Array(request.response);
};

self.tengenReady = () => postMessage({ ready: true });

async function start({ module, version, memory, base: folder }) {
  base = folder;
  const go = new Go();
  go.argv = ["tengen", version, String(memory)];
  go.env = { GOTRACEBACK: "none" }; // the page says what happened
  go.exit = (exit) => postMessage({ exit });
  const instance = await WebAssembly.instantiate(module, go.importObject);
  self.tengenMemory = instance.exports.mem; // for kernels that work in it
  await go.run(instance);
  postMessage({ exit: 0 });
}

self.onmessage = ({ data }) => {
  const { id } = data;
  if (data.module) start(data).catch(() => postMessage({ exit: 1 }));
  else if (data.kind === "cancel") cancels.get(id)?.();
  else {
    let ended = false; // a quick answer ends before the call returns
    const cancel = tengen(
      data.method,
      data.path,
      data.headers,
      data.body,
      (status, headers) => postMessage({ id, kind: "head", status, headers }),
      (piece) => postMessage({ id, kind: "piece", piece }, [piece.buffer]),
      () => {
        ended = true;
        cancels.delete(id);
        postMessage({ id, kind: "end" });
      },
    );
    if (!ended) cancels.set(id, cancel);
  }
};
