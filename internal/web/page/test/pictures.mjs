// Every mode as it looks: light, dark, on a phone, on a very large screen.

import { join } from "node:path";
import { settled } from "./tests.mjs";

const MODES = {
  start: "#/start",
  explore: "#/explore?game=nogo&size=3x5",
  go: "#/explore?game=go&rules=basic&size=3x3",
  limit: "#/explore?game=go&rules=basic&size=5x5",
  why: "#/why?game=nogo&size=3x5&moves=A1.D2",
  play: "#/play?game=nogo&size=9x9&moves=E5.C3.G7.C7.F3.B5",
  review: "#/play?game=go&rules=basic&size=3x3&moves=A1.B2.C1.pass.pass",
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
        if (mode === "review") {
          await page.getByRole("button", { name: "Review this game" }).click();
          await page.getByTestId("mistakes").waitFor();
          await page.locator(".mistakes button").first().click();
          await page.locator(".shudan-heat_better").waitFor();
          await page.evaluate(() => scrollTo(0, 0));
        }
        await page.screenshot({ path: join(folder, `${mode}-${size}-${theme}.png`) });
        await page.close();
      }
    }
  }
}
