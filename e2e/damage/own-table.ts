/** A table of shops as a collection of its own, added to another dataset. @module */
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeManifestFile } from "../../data/format/manifest-file.ts";
import { MANIFEST_PATH } from "../../data/format/paths.ts";
import { buildDataset } from "../../pipeline/builder/dataset/build.ts";
import { readManifest } from "../../pipeline/builder/index/index.ts";
import { MONACO } from "./town.ts";

const NAME = "shops";
const ROWS = 16;
const STEP_DEG = 0.0002;
const KINDS = ["Bakery", "Books"];

/** Builds the table in the work folder, and adds it as the collection `shops` to the dataset. */
export async function addOwnTable(dataset: string, work: string): Promise<void> {
  const lines = Array.from({ length: ROWS }, (_, i) => {
    const kind = KINDS[i % KINDS.length] ?? "";
    return [`${kind} ${i}`, kind, MONACO.lat + i * STEP_DEG, MONACO.lon, i, `${2000 + i}-05-01`].join(",");
  });
  const table = join(work, `${NAME}.csv`);
  await writeFile(table, ["Name,Category,Lat,Lon,Price,Opened", ...lines].join("\n"));
  const built = join(work, NAME);
  await buildDataset({ sources: [table], out: built });
  await cp(join(built, NAME), join(dataset, NAME), { recursive: true });
  const [manifest, own] = await Promise.all([readManifest(dataset), readManifest(built)]);
  const collections = { ...manifest.collections, ...own.collections };
  await writeFile(join(dataset, MANIFEST_PATH), await writeManifestFile({ ...manifest, collections }));
}
