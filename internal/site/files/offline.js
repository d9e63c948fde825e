// Keeps the files of the page, so that it opens without a network.
"use strict";
const FILES = {{files}};

// Pages of one host share their caches: the name has the folder.
const OURS = `tengen ${registration.scope} `;
const VERSION = OURS + "{{version}}";

async function keep() {
  try {
    const kept = await caches.open(VERSION);
    await kept.addAll(FILES);
  } catch (e) {
    // Without a network the next visit tries again. A browser that has no room says so.
    if (e.name === "QuotaExceededError") for (const page of await clients.matchAll({ includeUncontrolled: true })) page.postMessage({ notice: "storage" });
    await caches.delete(VERSION);
    throw e;
  }
  await skipWaiting();
}

addEventListener("install", (event) => event.waitUntil(keep()));

addEventListener("activate", (event) => {
  const old = (names) => Promise.all(names.filter((n) => n.startsWith(OURS) && n !== VERSION).map((n) => caches.delete(n)));
  event.waitUntil(caches.keys().then(old).then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(registration.scope)) return;
  event.respondWith(caches.open(VERSION).then((kept) => kept.match(request, { ignoreSearch: request.mode === "navigate" })).then((found) => found ?? fetch(request)));
});
