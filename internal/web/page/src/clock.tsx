// The clock of a game: each side has its time, which runs while that side is to play.

import { useEffect, useRef, useState } from "preact/hooks";
import { type Colour } from "./server";
import { text } from "./strings";

export const CLOCKS = [0, 60, 180, 300, 600, 1800]; // seconds for each side; 0 is no clock

export interface Clock {
  used: Record<Colour, number>; // milliseconds
  left: Record<Colour, number>; // milliseconds
  flag?: Colour; // whose time is up
  swap(): void; // the sides have exchanged their colours
}

// useClock counts for the side that is running. A new round begins with full clocks, and
// the first one with what was used before a reload.
export function useClock(seconds: number, running: Colour | undefined, round: number, before: Record<Colour, number>): Clock {
  const used = useRef({ ...before });
  const counted = useRef({ seconds, round });
  const [, refresh] = useState(0);
  useEffect(() => {
    if (counted.current.seconds === seconds && counted.current.round === round) return;
    counted.current = { seconds, round };
    used.current = { b: 0, w: 0 };
    refresh((n) => n + 1);
  }, [seconds, round]);
  useEffect(() => {
    if (!seconds || !running) return;
    let since = performance.now();
    const count = () => {
      const now = performance.now();
      used.current[running] += now - since;
      since = now;
      refresh((n) => n + 1);
    };
    const timer = setInterval(count, 200);
    return () => {
      clearInterval(timer);
      count();
    };
  }, [seconds, running, round]);
  const left = (c: Colour) => Math.max(0, 1000 * seconds - used.current[c]);
  return {
    used: used.current,
    left: { b: left("b"), w: left("w") },
    swap: () => void (used.current = { b: used.current.w, w: used.current.b }),
    flag: !seconds ? undefined : !left("b") ? "b" : !left("w") ? "w" : undefined,
  };
}

export function Clocks({ clock, running }: { clock: Clock; running?: Colour }) {
  const time = (ms: number) => {
    const s = Math.ceil(ms / 1000);
    return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
  };
  return (
    <div class="clocks">
      {(["b", "w"] as const).map((c) => (
        <span key={c} class={`turn ${c}${c === running ? " running" : ""}${clock.left[c] < 10000 ? " short" : ""}`} role="timer" aria-label={text.clockOf(c)} data-testid={`clock-${c}`}>
          {time(clock.left[c])}
        </span>
      ))}
    </div>
  );
}
