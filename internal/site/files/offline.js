// Keeps the files of the page, so that it opens without a network.
"use strict";
const VERSION = "{{version}}";
const FILES = {{files}};

addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((kept) => kept.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const old = (names) => Promise.all(names.filter((n) => n.startsWith("tengen ") && n !== VERSION).map((n) => caches.delete(n)));
  event.waitUntil(caches.keys().then(old).then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(registration.scope)) return;
  event.respondWith(caches.open(VERSION).then((kept) => kept.match(request, { ignoreSearch: request.mode === "navigate" })).then((found) => found ?? fetch(request)));
});
