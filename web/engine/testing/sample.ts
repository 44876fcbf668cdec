/**
 * The dataset of the sample, and the rows of its sources, read independently.
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { COLLECTIONS, type CollectionName, isOvertureType } from "../../../data/format/collections.ts";
import type { Geometry } from "../../../data/format/geometry.ts";
import { buildOnce } from "../../../pipeline/testing/build-once.ts";
import { folderSource } from "../../hosts/node/folder-source.ts";
import type { ByteSource } from "../contract/ports.ts";
import type { OracleRow } from "./oracle.ts";
import { memorySource } from "./sources.ts";

const here = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const SAMPLE = here("data/sample");

interface SourceRecord {
  readonly id: string;
  readonly version: number;
  readonly geometry: Geometry;
  readonly country?: string;
}

export interface Sample {
  readonly folder: string;
  readonly source: ByteSource;
}

/** Opens the dataset of the sample. */
export async function openSample(): Promise<Sample> {
  const folder = await buildSample();
  return { folder, source: folderSource(folder) };
}

/** Opens the dataset of the sample. Answers come in the order of reads, so that counted requests do not depend on the disk. */
export async function openSampleInOrder(): Promise<Sample> {
  const folder = await buildSample();
  const { read } = memorySource({ get: (path) => fileAt(join(folder, path)) });
  return { folder, source: { ...folderSource(folder), read } };
}

/** By path. */
const knownFiles = new Map<string, Uint8Array>();

/** Returns the content of the file, undefined if it is missing. Reads a file once. */
function fileAt(path: string): Uint8Array | undefined {
  const known = knownFiles.get(path);
  if (known || !existsSync(path)) return known;
  const read = readFileSync(path);
  knownFiles.set(path, read);
  return read;
}

export interface SampleRows extends Sample {
  /** What searches over the dataset must find. */
  readonly rows: readonly OracleRow[];
}

/** By folder. Test files that share a process share them. */
const knownRows = new Map<string, readonly OracleRow[]>();

/** Opens the dataset of the sample with its rows, which take seconds to read. Do not change them. */
export async function openSampleRows(): Promise<SampleRows> {
  const sample = await openSample();
  const rows = knownRows.get(sample.folder) ?? (await readRows(sample.folder));
  knownRows.set(sample.folder, rows);
  return { ...sample, rows };
}

/** Returns the folder of the sample's dataset, and builds it if missing. CAIRN_TEST_DATASET names an existing one. */
export async function buildSample(): Promise<string> {
  const { CAIRN_TEST_DATASET: built } = process.env;
  return (
    built ||
    buildOnce({
      name: "test-dataset",
      inputs: ["data/sample"],
      async build(out) {
        // loaded on demand, because it imports the whole pipeline
        const { buildDataset } = await import("../../../pipeline/builder/dataset/build.ts");
        await buildDataset({ sources: [SAMPLE], out });
      },
    })
  );
}

/**
 * The rows of the sources: of duplicate ids the higher version, then the earlier file. Places joined with buildings
 * have no source, and rows without a country get it in the build: both are read from the dataset, and tested by the
 * pipeline.
 */
async function readRows(folder: string): Promise<OracleRow[]> {
  const stored = await readStored(folder);
  const rows = new Map<string, OracleRow & { version: number }>();
  for (const path of await parquetFiles(SAMPLE)) {
    const collection = path.match(/(\w+)\.parquet$/)?.[1] ?? "";
    if (!isOvertureType(collection)) throw new Error(`${path} names no Overture type`);
    for (const record of await readParquet(path, ["id", "version", "geometry", "country"])) {
      const { id, version, geometry, country } = record as unknown as SourceRecord;
      const key = `${collection} ${id}`;
      const before = rows.get(key);
      if (before && before.version >= version) continue;
      const declared = COLLECTIONS[collection].countryRule === "declared" ? country : undefined;
      rows.set(key, { collection, id, version, geometry, country: declared ?? stored.get(key)?.country ?? "??" });
    }
  }
  const joined = [...stored.values()].filter(({ collection }) => collection === "place_building");
  return [...rows.values(), ...joined];
}

/** Rows of the primary copy by collection and id, each with the country of its folder. */
async function readStored(folder: string): Promise<Map<string, OracleRow>> {
  const rows = new Map<string, OracleRow>();
  for (const path of await parquetFiles(folder)) {
    const match = path.match(/(\w+)\/country=(..)\/geohash=/);
    if (!match) continue;
    const collection = match[1] as CollectionName;
    const country = match[2] ?? "";
    for (const { id, geometry } of await readParquet(path, ["id", "geometry"])) {
      rows.set(`${collection} ${id}`, { collection, id: String(id), country, geometry: geometry as Geometry });
    }
  }
  return rows;
}

async function parquetFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => name.endsWith(".parquet"))
    .sort()
    .map((name) => join(folder, name));
}

async function readParquet(path: string, columns: string[]): Promise<Record<string, unknown>[]> {
  const bytes = await readFile(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const present = parquetSchema(parquetMetadata(file)).children.map(({ element }) => element.name);
  return parquetReadObjects({ file, columns: columns.filter((name) => present.includes(name)), compressors });
}
