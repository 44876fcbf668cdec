/**
 * pyarrow, geopandas and polars as readers.
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readWkb } from "../../data/format/geometry.ts";
import { type Python, pythonWith } from "../support/python.ts";
import { ascending, type Box, type Reader, type ReadRow } from "./readers.ts";

const SCRIPT = fileURLToPath(new URL("read_location.py", import.meta.url));
const PACKAGES = ["pyarrow", "geopandas", "polars"] as const;

/** Readers in Python, or the reason why there are none. */
export async function pythonReaders(folder: string): Promise<readonly Pick<Reader, "name" | "read">[] | string> {
  const python = await pythonWith(PACKAGES);
  if (typeof python === "string") return python;
  return PACKAGES.map((name) => ({ name, read: (...asked) => readRows(python, [SCRIPT, name], folder, ...asked) }));
}

async function readRows(
  python: Python,
  script: readonly string[],
  folder: string,
  collection: string,
  country: string,
  box?: Box,
): Promise<readonly ReadRow[]> {
  const said = await python([...script, join(folder, collection), country, ...(box ?? []).map(String)]);
  return said
    .split("\n")
    .filter((line) => line !== "")
    .map((line): ReadRow => {
      const { id, name, wkb } = JSON.parse(line) as { id: string; name: string | null; wkb: string };
      return { id, country, name: name ?? null, geometry: readWkb(Buffer.from(wkb, "hex")) };
    })
    .sort(ascending);
}
