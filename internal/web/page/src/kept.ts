// What the browser keeps between visits, or for this tab. A browser may forbid both: then
// this page keeps it itself for as long as it is open.

const memory = new Map<string, string>();

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined; // blocked by the reader, or full
  }
}

function store(which: "localStorage" | "sessionStorage") {
  const box = () => attempt(() => globalThis[which]);
  return {
    read: (key: string): string | undefined => attempt(() => box()?.getItem(key)) ?? memory.get(which + key),
    write(key: string, value: string) {
      memory.set(which + key, value);
      attempt(() => box()?.setItem(key, value));
    },
  };
}

export const kept = store("localStorage"); // for every visit
export const tab = store("sessionStorage"); // for this tab, over a reload
