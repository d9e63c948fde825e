// Every language says everything.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { en } from "../../src/words/en";
import { LANGUAGES, preferred } from "../../src/strings";

const others = Object.keys(LANGUAGES).filter((l) => l !== "en");

// What is the same in every language: names, signs, and words that players write alike.
const SAME = /^(tengen|API|JSON|SVG|PNG|SGF|Cluster|Link|Text|Start|Playouts|–|NoGo|Go|[\W\d_]*)$/i;

function attempt(action) {
  try {
    return action();
  } catch {
    return undefined;
  }
}

function* leaves(value, path = []) {
  if (value && typeof value === "object") for (const [key, v] of Object.entries(value)) yield* leaves(v, [...path, key]);
  else yield [path.join("."), value];
}

test("each language has a file, and each file a language", () => {
  const found = readdirSync("src/words").map((f) => f.replace(".ts", "")).filter((f) => f !== "figures");
  assert.deepEqual(found.sort(), Object.keys(LANGUAGES).sort());
});

for (const language of others) {
  test(`no string is missing: ${language}`, async () => {
    const { words } = await import(`../../src/words/${language}`);
    const own = new Map(leaves(words));
    const english = new Map(leaves(en));
    assert.deepEqual([...own.keys()].sort(), [...english.keys()].sort());
    for (const [key, value] of own) {
      assert.equal(typeof value, typeof english.get(key), key);
      if (typeof value === "string") assert.ok(value.trim() || !english.get(key).trim(), `${key} is empty`);
      if (typeof value === "string" && value === english.get(key)) assert.match(value, SAME, `${key} is still English`);
    }
  });

  // Whatever the English sentence has out of its arguments the translated one has too.
  test(`sentences are whole: ${language}`, async () => {
    const { words } = await import(`../../src/words/${language}`);
    const english = new Map(leaves(en));
    const samples = [
      ["§a", "§b", "§c", "§d", "§e"],
      [102, 203, 304, 405, 506],
      ["w", "w", "w", "w", "w"],
    ];
    for (const [key, own] of leaves(words)) {
      if (typeof own !== "function") continue;
      let tried = 0;
      for (const sample of samples) {
        const said = attempt(() => english.get(key)(...sample));
        if (said === undefined || said.includes("NaN")) continue; // not for this sentence
        tried++;
        const translated = own(...sample);
        for (const part of sample) if (part !== "w" && said.includes(part)) assert.ok(translated.includes(part), `${key}: ${said} | ${translated}`);
        if (said.includes(en.white)) assert.ok(translated.includes(words.white), `${key}: ${said} | ${translated}`);
      }
      assert.ok(tried, key);
    }
  });
}

test("a pass is called one in every language", async () => {
  assert.equal(en.opponentPlayed("w", "pass"), "White passed.");
  assert.equal(en.mistakeSays(3, "b", "pass", "B+9", "W+9"), "Move 3: Black passed, and B+9 became W+9.");
  assert.equal(en.refuted("pass", 2, "B+9", "B+7"), "A pass costs 2 points: B+9 becomes B+7.");
  for (const language of others) {
    const { words } = await import(`../../src/words/${language}`);
    const said = [words.opponentPlayed("w", "pass"), words.mistakeSays(3, "b", "pass", "B+9", "W+9"), words.refuted("pass", 2, "B+9", "B+7"), ...["moveName", "betterWas", "hintSays", "replyIs", "weighing"].map((key) => words[key]("pass"))];
    assert.doesNotMatch(said.join(" "), /\bpass\b/, language);
  }
});

test("an estimate never reads as certainty in any language", async () => {
  for (const language of Object.keys(LANGUAGES)) {
    const words = (await import(`../../src/words/${language}`))[language === "en" ? "en" : "words"];
    for (const share of [0, 0.001, 0.999, 1]) {
      const p = words.estimated(share);
      for (const said of [p, words.chance(share), words.opponentExpects("w", p), words.undecided("white", p, "A1")]) assert.doesNotMatch(said, /100|(?<!\d)0[\s\u00a0]?%/, `${language}: ${said}`);
      assert.ok(words.opponentExpects("w", p).includes(p), language);
    }
    assert.equal(new Set([0, 0.5, 0.999].map(words.estimated)).size, 3, language);
  }
});

test("no string is left over", () => {
  const source = readdirSync("src").filter((f) => /\.tsx?$/.test(f)).map((f) => readFileSync(`src/${f}`, "utf8")).join("\n");
  assert.deepEqual(Object.keys(en).filter((key) => !new RegExp(`text\\.${key}\\b`).test(source)), []);
});

test("the language is the browser's, or the one that was chosen", () => {
  assert.equal(preferred(["fr-FR", "ja-JP", "en"]), "ja");
  assert.equal(preferred(["zh-TW"]), "zh");
  assert.equal(preferred(["", "de-AT"]), "de");
  assert.equal(preferred(["pt"]), "en");
});

test("numbers and spans are written as the language does", async () => {
  const { words: de } = await import("../../src/words/de");
  assert.equal(en.number(1234567), "1,234,567");
  assert.equal(de.number(1234567), "1.234.567");
  assert.equal(en.percent(0.523), "52%");
  assert.equal(de.percent(0.523), "52\u00a0%");
  assert.equal(en.span(3725), "1 h 2 min");
  assert.equal(en.perSecond(21_100), "21.1K/s");
  assert.equal(de.elapsed(2.44), "2,4 s");
});
