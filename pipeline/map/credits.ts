import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "../disk/index.ts";
import type { MapSettings } from "./settings.ts";

const FILE = "attribution.json";

/** Puts the map's own credits before those of the extract; of the same dataset the map's takes the place of the other. */
export async function addCredits(extract: string, { attribution }: MapSettings): Promise<void> {
  if (attribution.length === 0) return;
  const path = join(extract, FILE);
  const found = JSON.parse(await readFile(path, "utf8")) as { dataset: string }[];
  const own = new Set(attribution.map(({ dataset }) => dataset));
  const all = [...attribution, ...found.filter(({ dataset }) => !own.has(dataset))];
  await writeWhole(path, `${JSON.stringify(all, null, 2)}\n`);
}
