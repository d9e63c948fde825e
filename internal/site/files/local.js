// In place of a server: the page's requests are answered by workers in this tab, which run
// the program. The page asks with fetch as it always does.
import { open } from "./client.js";

const settings = document.querySelector("script[data-memory]").dataset;
const base = new URL("./", document.baseURI).href;
const ours = /^(api\/v1\/(?!results$)|healthz$|readyz$|openapi\.(json|yaml)$)/;

const native = window.fetch.bind(window);
const { ask, ready } = open({ base, settings, read: native, Thread: window.Worker });

window.fetch = (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input, document.baseURI).href;
  const path = url.startsWith(base) ? url.slice(base.length) : "";
  return ours.test(path.split("?")[0]) ? ask(path, init) : native(input, init);
};

// After the first visit the page opens without a network.
if (window.isSecureContext && "serviceWorker" in navigator) {
  navigator.serviceWorker.onmessage = ({ data }) => {
    window.tengenNotice = data.notice;
    dispatchEvent(new Event("tengen-notice"));
  };
  navigator.serviceWorker.register(base + "offline.js").catch(() => {});
}
ready()?.catch(() => {});
