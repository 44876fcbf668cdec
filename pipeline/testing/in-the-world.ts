/**
 * Datasets of made-up features in real countries: their outlines come from the sample's world.
 * @module
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { buildOnce } from "./build-once.ts";

const WORLD = fileURLToPath(new URL("../../data/sample/world", import.meta.url));

interface InTheWorld {
  /** Name of the dataset. */
  readonly name: string;
  /** Features by type. */
  readonly features: () => Readonly<Record<string, readonly unknown[]>>;
  /** SQL condition for divisions of the world. */
  readonly divisions: string;
}

/** Returns the dataset's folder. Builds it at first use. */
export function buildInTheWorld({ name, features, divisions }: InTheWorld): Promise<string> {
  return buildOnce({
    name,
    inputs: ["data/sample/world"],
    async build(out) {
      const sources = join(dirname(out), "sources");
      await mkdir(join(sources, "made"), { recursive: true });
      for (const [type, made] of Object.entries(features())) {
        const collection = { type: "FeatureCollection", features: made };
        await writeFile(join(sources, "made", `${type}.geojson`), JSON.stringify(collection));
      }
      await copyDivisions(sources, divisions);
      // Imported here, because it loads the complete pipeline.
      const { buildDataset } = await import("../builder/dataset/build.ts");
      await buildDataset({ sources: [sources], out, keep: false });
      await rm(sources, { recursive: true });
    },
  });
}

async function copyDivisions(folder: string, where: string): Promise<void> {
  const database = await (await DuckDBInstance.create(":memory:")).connect();
  await database.run("SET enable_geoparquet_conversion = false");
  for (const type of ["division", "division_area"]) {
    const rows = `SELECT * FROM read_parquet('${WORLD}/${type}.parquet') WHERE ${where}`;
    await database.run(`COPY (${rows}) TO '${join(folder, `${type}.parquet`)}' (FORMAT parquet)`);
  }
  database.closeSync();
}
