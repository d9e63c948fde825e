// Whether the server is there. When it goes away the page asks until it is back, and
// everything that depends on the epoch asks its question again.

import { useEffect, useState } from "preact/hooks";
import { alive, Gone, Refused } from "./server";
import { language, text } from "./strings";

// Problem is why there is no answer: the question is wrong (input), it is more than this
// server can do (limit), there is no room now (busy), or something failed (broken). The
// message is the server's own, in English; its code says the same to the page.
export interface Problem {
  kind: "input" | "limit" | "busy" | "broken";
  message: string;
  location: string;
  code?: string;
  value?: string; // what is wrong, such as a move
}

// said is a problem in the reader's language, as far as the page knows its code.
export function said(p: Problem): string {
  return language === "en" && p.message && !local(p) ? p.message : (text.problems[p.code ?? ""]?.(p.value ?? "") ?? p.message);
}

// local tells a problem of a page without a server, which no server can have.
export const local = (p: Problem) => ["browser", "download", "memory"].includes(p.code ?? "");

// noPosition is the headline where there is none: the problem itself is said elsewhere.
export const noPosition = (p: Problem) => (p.kind === "input" ? text.noPosition : "");

// warned are the warnings of an answer. One that came too late says so itself; the others
// are for those who run the server.
export function warned(answer: { late?: boolean; warnings?: string[] | null }): string[] {
  if (language === "en") return answer.warnings ?? [];
  return answer.late ? [text.late] : [];
}

// tongue is the language of what is said, if it is not the reader's.
export const tongue = (p: Problem) => (text.problems[p.code ?? ""] || language === "en" ? undefined : "en");

export function kindOf(status: number, location: string): Problem["kind"] {
  if (status === 429 || status === 503) return "busy";
  if (location.startsWith("body.")) return "input";
  return status === 422 || status === 413 ? "limit" : "broken";
}

// limit is a problem that a stream tells.
export const limit = (message: string, code?: string): Problem => ({ kind: code === "busy" ? "busy" : "limit", message, location: "", code });

let down = false;
let epoch = 0;
const listeners = new Set<() => void>();

function tell() {
  for (const l of listeners) l();
}

export function gone() {
  if (down) return;
  down = true;
  tell();
  const again = async () => {
    if (!document.hidden && (await alive())) {
      down = false;
      epoch++;
      tell();
    } else {
      setTimeout(again, 1500);
    }
  };
  setTimeout(again, 500);
}

// watch looks now and then whether the server is still there, for a page on which nobody
// asks anything. A page that nobody sees asks when it is seen again.
const EVERY = 10_000; // milliseconds
export async function look() {
  if (!down && !document.hidden && !(await alive())) gone();
}

export function watch(): () => void {
  const timer = setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  };
}

// failure turns what was thrown into what is shown: nothing if the page itself stopped
// asking or if nobody answered, which the banner says.
export function failure(e: unknown): Problem | undefined {
  if (e instanceof Refused) return { kind: e.code === "limit" ? "limit" : kindOf(e.status, e.location), message: e.message, location: e.location, code: e.code, value: e.value };
  if (e instanceof Gone) gone();
  else if (!(e instanceof DOMException && e.name === "AbortError")) return { kind: "broken", message: String(e), location: "" };
  return undefined;
}

// saidOf is the same in words, "" for nothing.
export function saidOf(e: unknown): string {
  const problem = failure(e);
  return problem ? said(problem) : "";
}

// useRetry asks again what the server had no room for.
const AFTER = 2000; // milliseconds
export function useRetry(problem: Problem | undefined, again: () => void) {
  useEffect(() => {
    if (problem?.kind !== "busy") return;
    const timer = setTimeout(again, AFTER);
    return () => clearTimeout(timer);
  }, [problem]);
}

export function useConnection(): { down: boolean; epoch: number } {
  const [, refresh] = useState(0);
  useEffect(() => {
    const l = () => refresh((n) => n + 1);
    listeners.add(l);
    return () => void listeners.delete(l);
  }, []);
  return { down, epoch };
}
