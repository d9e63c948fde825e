export * from "./library.js";

/** Change the memory of all workers, in bytes, before the first question. */
export const settings: { version: string; memory: number };

/** Ends the workers, and what they do. */
export function close(): Promise<void>;
