import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bboxIntersects } from "../../data/format/bbox.ts";
import { bboxOf } from "../../data/format/geometry.ts";
import { parseManifest } from "../../data/format/manifest-schema.ts";
import { readParquet } from "../../pipeline/testing/read-parquet.ts";
import { buildSample } from "../../web/engine/testing/sample.ts";
import { pythonWith } from "../support/python.ts";
import { blocksOf } from "./blocks.ts";

const PAGE = "docs/guides/python.md";
/** pip may have to fetch them. */
const INSTALL_MS = 6 * 60 * 1000;

const blocks = (await blocksOf(PAGE)).filter(({ language }) => language === "python").map(({ text }) => text);

/** As the page's blocks have it. */
const BOX = [7.42, 43.73, 7.425, 43.735] as const;

async function countPlaces(folder: string): Promise<{ readonly all: number; readonly inBox: number }> {
  const { collections } = parseManifest(JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")));
  // no place of another country lies near
  const monaco = (await readdir(join(folder, "place"), { recursive: true })).filter((name) =>
    /^country=(MC|FR)\/.*\.parquet$/.test(name),
  );
  const rows = (await Promise.all(monaco.map((name) => readParquet(join(folder, "place", name))))).flat();
  const boxes = rows.map(({ geometry }) => bboxOf(geometry as Parameters<typeof bboxOf>[0]));
  return {
    all: collections.place?.rows ?? 0,
    inBox: boxes.filter((box) => box && bboxIntersects(box, BOX)).length,
  };
}

test("the page reads all and a box, five lines each", () => {
  expect(blocks).toHaveLength(6);
  for (const block of blocks) expect(block.trimEnd().split("\n")).toHaveLength(5);
  for (const library of ["geopandas", "duckdb", "polars"]) {
    expect(blocks.filter((block) => block.startsWith(`import ${library}\n`))).toHaveLength(2);
  }
});

test("the page's programs run, and find what is there", { timeout: INSTALL_MS }, async ({ skip }) => {
  const python = await pythonWith(["pyarrow", "geopandas", "duckdb", "polars"]);
  if (typeof python === "string") return skip(python);
  const folder = await buildSample();
  const said = await Promise.all(
    blocks.map(async (block) =>
      (await python(["-c", block.replaceAll(".cairn/dataset", folder)])).trimEnd().split("\n").at(-1),
    ),
  );
  const { all, inBox } = await countPlaces(folder);
  expect(inBox).toBeGreaterThan(50);
  expect(said).toEqual([1, 2, 3].flatMap(() => [`${all} places`, `${inBox} places`]));
});
