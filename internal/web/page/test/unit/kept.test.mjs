// What is kept is kept, also where the browser forbids it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { kept, tab } from "../../src/kept";

const name = { kept: "localStorage", tab: "sessionStorage" };

for (const [which, store] of Object.entries({ kept, tab })) {
  test(`${which}: storage that throws, is full, or is not there`, () => {
    for (const box of [
      { get: () => undefined },
      {
        get() {
          throw new Error("denied");
        },
      },
      {
        get: () => ({
          getItem: () => null,
          setItem() {
            throw new Error("full");
          },
        }),
      },
    ]) {
      Object.defineProperty(globalThis, name[which], { ...box, configurable: true });
      store.write("a", "1");
      assert.equal(store.read("a"), "1");
      assert.equal(store.read("nothing"), undefined);
    }
  });

  test(`${which}: storage that works`, () => {
    const box = new Map();
    Object.defineProperty(globalThis, name[which], { value: { getItem: (k) => box.get(k) ?? null, setItem: (k, v) => box.set(k, v) }, configurable: true });
    store.write("b", "2");
    assert.equal(box.get("b"), "2");
    box.set("c", "3");
    assert.equal(store.read("c"), "3");
  });
}
