/**
 * pyarrow and geopandas, in a virtual environment below the project's own folder.
 * @module
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readWkb } from "../../data/format/geometry.ts";
import { ascending, type Box, type Reader, type ReadRow } from "./readers.ts";

const run = promisify(execFile);

const ENVIRONMENT = fileURLToPath(new URL("../../.cairn/python", import.meta.url));
const PYTHON = join(ENVIRONMENT, "bin/python");
const SCRIPT = fileURLToPath(new URL("read_location.py", import.meta.url));
const PACKAGES = ["pyarrow", "geopandas"] as const;

/** Where packages come from the network, they take this long at most. */
const INSTALL_MS = 5 * 60 * 1000;
const MOST_OUTPUT_BYTES = 1 << 30;

/** Readers in Python; else why there are none. */
export async function pythonReaders(folder: string): Promise<readonly Pick<Reader, "name" | "read">[] | string> {
  try {
    if (!existsSync(PYTHON)) await run("python3", ["-m", "venv", ENVIRONMENT], { timeout: INSTALL_MS });
    if (!(await hasPackages())) {
      await run(PYTHON, ["-m", "pip", "install", "--quiet", ...PACKAGES], { timeout: INSTALL_MS });
    }
    if (!(await hasPackages())) return `${PACKAGES.join(" and ")} cannot be imported`;
  } catch (error) {
    return `Python with ${PACKAGES.join(" and ")} cannot be had: ${String(error).split("\n")[0]}`;
  }
  return PACKAGES.map((name) => ({ name, read: (...asked) => readRows(name, folder, ...asked) }));
}

async function hasPackages(): Promise<boolean> {
  return run(PYTHON, ["-c", PACKAGES.map((name) => `import ${name}`).join("; ")]).then(
    () => true,
    () => false,
  );
}

async function readRows(
  library: (typeof PACKAGES)[number],
  folder: string,
  collection: string,
  country: string,
  box?: Box,
): Promise<readonly ReadRow[]> {
  const asked = [SCRIPT, library, join(folder, collection), country, ...(box ?? []).map(String)];
  const { stdout } = await run(PYTHON, asked, { maxBuffer: MOST_OUTPUT_BYTES });
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line): ReadRow => {
      const { id, name, wkb } = JSON.parse(line) as { id: string; name: string | null; wkb: string };
      return { id, country, name: name ?? null, geometry: readWkb(Buffer.from(wkb, "hex")) };
    })
    .sort(ascending);
}
