/** A dataset whose answers are larger than the buffers of the system. @module */
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeDataset } from "../../../engine/testing/made-up-dataset.ts";

/** The bytes of a row's answer. */
export const ROW_BYTES = 500_000;

/** Answers with all rows: 500 KB for each. */
export const LARGE = "/places?lat=43.73&lng=7.42&radius=100";
/** Answers with the names of one row. */
export const SMALL = `${LARGE}&limit=1&includes=names`;

/** Writes the dataset, with places at one point, into a new folder. The caller removes the folder. */
export async function writeLargeRows(rows: number): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "cairn-large-"));
  const place = Array.from({ length: rows }, (_, i) => ({
    id: `place ${i}`,
    country: "MC",
    geometry: { type: "Point", coordinates: [7.42, 43.73] } as const,
    values: { basic_category: `repeat('x', ${ROW_BYTES})` },
  }));
  for (const [path, bytes] of await makeDataset({ place })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), bytes);
  }
  return root;
}
