// Every mode as it looks: light, dark, on a phone, on a very large screen.

import { join } from "node:path";
import { settled } from "./tests.mjs";

const MODES = {
  explore: "#/explore?game=nogo&size=3x5",
  go: "#/explore?game=go&rules=basic&size=3x3",
  why: "#/why?game=nogo&size=3x5&moves=A1.D2",
  play: "#/play?game=nogo&size=9x9&moves=E5.C3.G7.C7.F3.B5",
  learn: "#/learn?game=nogo&position=..xo../..xo../..xo..",
  results: "#/results",
};

export async function pictures({ start }, folder) {
  for (const [mode, hash] of Object.entries(MODES)) {
    for (const size of ["desktop", "phone", "huge"]) {
      for (const theme of ["light", "dark"]) {
        const page = await start(hash, { size, theme });
        await settled(page);
        await page.waitForFunction(() => !document.querySelector(".progress button")); // nothing is searched any more
        await page.screenshot({ path: join(folder, `${mode}-${size}-${theme}.png`) });
        await page.close();
      }
    }
  }
}
