// The library in a browser: the files of this folder come from the host of the page.
import { open } from "./client.js";
import { through } from "./server.js";
import { settings } from "./settings.js";

const { ask, close } = open({ settings, base: new URL("./", import.meta.url).href, read: (url) => fetch(url), Thread: globalThis.Worker });
through(ask);

export { close, settings };
export { analyse, Gone, play, Refused, solve, value, why } from "./library.js";
