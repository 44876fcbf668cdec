/**
 * Builds a dataset: sources to normalised rows, to sorted runs, to partitions, to the manifest.
 * @module
 */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BBox, bboxUnion } from "../data/format/bbox.ts";
import { COLLECTIONS, type CollectionName, OVERTURE_TYPES, type OvertureType } from "../data/format/collections.ts";
import { FOLD_VERSION } from "../data/format/fold.ts";
import { FORMAT_VERSION, type Manifest, type ManifestCollection, parseManifest } from "../data/format/manifest.ts";
import { MANIFEST_PATH, REJECTS_PATH } from "../data/format/paths.ts";
import { type Citation, mergeAttribution, readAttributions, readCitations } from "./attribution.ts";
import { copyToParquet } from "./copy-to-parquet.ts";
import { locateCountry } from "./country/locate.ts";
import { packageOutlines } from "./country/package-outlines.ts";
import { readSourceOutlines } from "./country/source-outlines.ts";
import { type Database, openDatabase } from "./database.ts";
import { addDerivedRuns } from "./derived-runs.ts";
import { geometryFigures } from "./figures-function.ts";
import { createSourceOpener } from "./open-source.ts";
import { metersBetween, stagePlaceBuildings } from "./place-building.ts";
import { filesBelow, makeWorkFolder, publish } from "./publish.ts";
import { REJECTS_TABLE } from "./rejects.ts";
import { makeRuns } from "./run.ts";
import { type TypedSource, typeSources } from "./source-type.ts";
import { findSources } from "./sources.ts";
import { writeStac } from "./stac.ts";
import { createRejects, type Staged, stageCollection } from "./stage.ts";
import { rowTerms } from "./term-postings.ts";
import { twkbFunction } from "./twkb-function.ts";
import { writeJson } from "./write-json.ts";

export interface BuildOptions {
  /** Files or folders. */
  readonly sources: readonly string[];
  /** The dataset's folder; what it holds is replaced when the build is whole. */
  readonly out: string;
  /** Made from the content when left out. */
  readonly release?: string | undefined;
  /** Most memory for DuckDB, such as `4GB`. */
  readonly memory?: string | undefined;
  /** Folder for what is sorted; beside the dataset when left out. */
  readonly temp?: string | undefined;
  readonly onProgress?: ((progress: BuildProgress) => void) | undefined;
}

export interface BuildProgress {
  readonly collection: CollectionName;
  readonly stage: "reading" | "writing";
  /** Collections that are finished, and all. */
  readonly done: number;
  readonly total: number;
  readonly partitions: number;
}

export interface BuildReport {
  readonly release: string;
  readonly rows: number;
  readonly rejected: number;
  readonly partitions: number;
  readonly bytes: number;
}

/** Builds the dataset. When it throws, the folder holds what it held before. */
export async function buildDataset(options: BuildOptions): Promise<BuildReport> {
  const files = await findSources(options.sources);
  const work = await makeWorkFolder(options.out);
  let staging: string | undefined;
  try {
    const made = join(work, "dataset");
    await mkdir(made);
    staging = options.temp === undefined ? work : await mkdtemp(join(options.temp, "cairn-"));
    const database = await openDatabase({ folder: staging, memory: options.memory });
    let manifest: Manifest;
    try {
      manifest = await makeDataset(database, options, made, await typeSources(database, files));
    } finally {
      database.close();
    }
    await publish(made, options.out);
    return reportOf(manifest);
  } finally {
    await rm(work, { recursive: true, force: true });
    if (staging !== undefined) await rm(staging, { recursive: true, force: true });
  }
}

/** The types that `place_building` joins. */
const JOINED: readonly OvertureType[] = ["place", "building"];

async function makeDataset(
  database: Database,
  options: BuildOptions,
  folder: string,
  sources: readonly TypedSource[],
): Promise<Manifest> {
  await createRejects(database);
  const open = createSourceOpener(database);
  const areas = await Promise.all(sources.filter(({ type }) => type === "division_area").map(open));
  database.register(geometryFigures(locateCountry(await readSourceOutlines(database, areas), packageOutlines())));
  database.register(rowTerms());
  database.register(twkbFunction());
  const types = OVERTURE_TYPES.filter((type) => sources.some((source) => source.type === type));
  const isJoined = JOINED.every((type) => types.includes(type));
  const names: readonly CollectionName[] = isJoined ? [...types, "place_building"] : types;
  const collections: Manifest["collections"] = {};
  const citations: Citation[] = [];
  let partitions = 0;

  function tell(name: CollectionName, stage: BuildProgress["stage"]): void {
    options.onProgress?.({ collection: name, stage, done: names.indexOf(name), total: names.length, partitions });
  }
  async function write(name: CollectionName, { table, ignoredColumns }: Staged): Promise<void> {
    const countries = await countByCountry(database, table);
    if (countries.length === 0) return;
    const onPartition = (): void => {
      partitions++;
      tell(name, "writing");
    };
    const runs = await makeRuns(database, {
      collection: COLLECTIONS[name],
      staged: table,
      countries,
      folder,
      onPartition,
    });
    collections[name] = {
      rows: countries.reduce((sum, [, rows]) => sum + rows, 0),
      bbox: unionOf(runs),
      countries: Object.fromEntries(countries),
      ignored_columns: [...ignoredColumns],
      runs,
    };
  }

  for (const type of types) {
    tell(type, "reading");
    const mine = sources.filter((source) => source.type === type);
    const staged = await stageCollection(database, COLLECTIONS[type], mine, open);
    citations.push(...(await readCitations(database, staged.table)));
    await write(type, staged);
    if (!isJoined || !JOINED.includes(type)) await database.run(`DROP TABLE ${staged.table}`);
  }
  if (isJoined) {
    tell("place_building", "reading");
    database.register(metersBetween());
    await write("place_building", await stagePlaceBuildings(database));
  }
  await addDerivedRuns(database, { folder, collections, onPartition: () => partitions++ });
  const manifest: Manifest = {
    format: "cairn",
    format_version: FORMAT_VERSION,
    release: options.release ?? (await releaseOf(folder)),
    fold_version: FOLD_VERSION,
    attribution: mergeAttribution(await readAttributions(sources), citations),
    rejects: await writeRejects(database, folder),
    collections,
  };
  await writeFile(join(folder, MANIFEST_PATH), `${writeJson(parseManifest(manifest))}\n`);
  await writeStac(folder, manifest);
  return manifest;
}

function unionOf(runs: ManifestCollection["runs"]): BBox {
  return bboxUnion(runs.location.nodes.map(({ bbox }) => bbox));
}

async function countByCountry(database: Database, table: string): Promise<[country: string, rows: number][]> {
  const counts = await database.rows<{ country: string; rows: number }>(
    `SELECT _country AS country, count(*) AS rows FROM ${table} GROUP BY 1 ORDER BY 1`,
  );
  return counts.map(({ country, rows }) => [country, rows]);
}

/** Names the content: every partition's path holds its hash. */
async function releaseOf(folder: string): Promise<string> {
  const hash = createHash("sha256");
  for (const path of await filesBelow(folder)) hash.update(`${path}\n`);
  return hash.digest("hex").slice(0, 12);
}

async function writeRejects(database: Database, folder: string): Promise<Manifest["rejects"]> {
  const path = join(folder, REJECTS_PATH);
  const columns = "collection, source, id, reason, detail";
  const sql = `SELECT ${columns} FROM ${REJECTS_TABLE} ORDER BY collection, _source, _row`;
  await database.each([sql], (connection) => copyToParquet(connection, sql, path));
  const reasons = await database.rows<{ reason: string; rows: number }>(
    `SELECT reason, count(*) AS rows FROM ${REJECTS_TABLE} GROUP BY 1 ORDER BY 1`,
  );
  return {
    rows: reasons.reduce((sum, { rows }) => sum + rows, 0),
    bytes: (await stat(path)).size,
    sha256: createHash("sha256")
      .update(await readFile(path))
      .digest("hex"),
    reasons: Object.fromEntries(reasons.map(({ reason, rows }) => [reason, rows])),
  };
}

function reportOf({ release, rejects, collections }: Manifest): BuildReport {
  const made = Object.values(collections);
  const runs = made.flatMap(({ runs }) => Object.values(runs).filter((run) => run !== undefined));
  return {
    release,
    rows: made.reduce((sum, { rows }) => sum + rows, 0),
    rejected: rejects.rows,
    partitions: runs.reduce((sum, run) => sum + run.partitions, 0),
    bytes: runs.reduce((sum, run) => sum + run.bytes, 0),
  };
}
