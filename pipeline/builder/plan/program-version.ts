import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { version as duckdbVersion } from "@duckdb/node-api";
import { filesBelow } from "../../base/disk/index.ts";

/** Set in the packaged program, which has no sources. */
declare const CAIRN_PROGRAM: string | undefined;

const FOLDERS = ["../../../data/format/", "../../base/", "../../overture/", "../"];

/**
 * Returns a hash of the code that affects the output of a build, and of DuckDB's version. Builds do not reuse
 * checkpoints of another version.
 */
export async function programVersion(): Promise<string> {
  if (typeof CAIRN_PROGRAM === "string") return CAIRN_PROGRAM;
  const hash = createHash("sha256").update(duckdbVersion());
  for (const folder of FOLDERS) {
    const root = fileURLToPath(new URL(folder, import.meta.url));
    for (const path of await filesBelow(root)) {
      if (!/(?<!\.test)\.ts$/.test(path) || /^(execute|get)\//.test(path)) continue;
      hash.update(`${path}\0`).update(await readFile(join(root, path)));
    }
  }
  return hash.digest("hex");
}
