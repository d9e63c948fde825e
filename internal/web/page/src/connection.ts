// Whether the server is there. When it goes away the page asks until it is back, and
// everything that depends on the epoch asks its question again.

import { useEffect, useState } from "preact/hooks";
import { alive, Gone, Refused } from "./api";

export interface Problem {
  message: string;
  location: string;
}

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
export function watch(): () => void {
  const look = async () => {
    if (!down && !document.hidden && !(await alive())) gone();
  };
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
  if (e instanceof Refused) return { message: e.message, location: e.location };
  if (e instanceof Gone) gone();
  else if (!(e instanceof DOMException && e.name === "AbortError")) return { message: String(e), location: "" };
  return undefined;
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
