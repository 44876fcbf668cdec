/** Real places and buildings with column tables. @module */
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { buildDataset, parseColumnTables } from "../../pipeline/builder/dataset/index.ts";
import { SAMPLE_FOLDER } from "./folders.ts";

/** Builds them below the folder. Returns the dataset's folder. */
export async function buildWithTables(folder: string): Promise<string> {
  for (const [theme, type] of [
    ["places", "place"],
    ["buildings", "building"],
  ] as const) {
    const source = join(folder, "source", `theme=${theme}/type=${type}`);
    await mkdir(source, { recursive: true });
    for (const [index, area] of ["monaco", "boulder"].entries())
      await cp(join(SAMPLE_FOLDER, area, `${type}.parquet`), join(source, `part-${index}.parquet`));
  }
  const out = join(folder, "dataset");
  await buildDataset({
    ...{ sources: [join(folder, "source")], out, level: "fast", release: "1" },
    columnTables: parseColumnTables("place;building"),
  });
  return out;
}
