/** `npm run package:reader`: writes the package `cairn-reader` to a folder, and prints its size. @module */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { buildReaderPackage } from "./reader-package.ts";

const out = ".cairn/reader";

try {
  parseArgs();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\nUsage: npm run package:reader`);
  process.exit(2);
}
const parts = await buildReaderPackage(out);
const module = await readFile(join(out, "index.js"));
console.log(`${out}: index.js has ${module.length} bytes, compressed ${gzipSync(module, { level: 9 }).length}`);
console.log("The largest parts before they are minified:");
for (const { path, bytes } of parts.slice(0, 8)) console.log(`${String(bytes).padStart(8)} ${path}`);
