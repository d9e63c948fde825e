// src/api.ts out of /openapi.yaml of the program: `make page` writes it, and with --check
// `make page-test` sees whether it is stale.

import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import { startServer } from "./browser.mjs";

const FILE = "src/api.ts";
const server = startServer();
let source;
try {
  const yaml = await (await fetch(`${await server.origin}/openapi.yaml`)).text();
  source = `// Made from /openapi.yaml by make page. Do not edit.\n\n${astToString(await openapiTS(yaml, { silent: true }))}`;
} finally {
  await server.stop();
}
if (!process.argv.includes("--check")) writeFileSync(FILE, source);
else if (readFileSync(FILE, "utf8") !== source) {
  console.error(`${FILE} is not what /openapi.yaml gives: run make page`);
  process.exit(1);
}
