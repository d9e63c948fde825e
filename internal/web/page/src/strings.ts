// The words of the page in the language of its reader. Each language but English is a file
// that is loaded when it is wanted.

import { kept } from "./kept";
import { en, type Words } from "./words/en";

export const LANGUAGES = { en: "English", de: "Deutsch", zh: "简体中文", ja: "日本語", ko: "한국어" } as const;
export type Language = keyof typeof LANGUAGES;

const load: Record<Language, () => Promise<{ words: Words }>> = {
  en: async () => ({ words: en }),
  de: () => import("./words/de"),
  zh: () => import("./words/zh"),
  ja: () => import("./words/ja"),
  ko: () => import("./words/ko"),
};

export let text: Words = en;
export let language: Language = "en";

// preferred is the first of the wanted languages that there is.
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = (Object.keys(LANGUAGES) as Language[]).find((l) => l === tag.toLowerCase().split("-")[0]);
    if (found) return found;
  }
  return "en";
}

// chosen is what the reader chose here, else what the browser is set to.
export function chosen(): Language {
  return preferred([kept.read("language") ?? "", ...navigator.languages]);
}

// speak changes the language. One that cannot be loaded leaves the old one.
export async function speak(wanted: Language): Promise<void> {
  try {
    text = (await load[wanted]()).words;
    language = wanted;
  } catch {
    // the server is gone: its banner says so
  }
  document.documentElement.lang = language === "zh" ? "zh-Hans" : language;
}
