/**
 * Generates sources in Overture's schema and layout: any number of rows, reproducible by seed.
 * @module
 */
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COLLECTIONS } from "../../../data/format/collections.ts";
import { geoMetadata } from "../../../data/format/geo-metadata.ts";
import { type Database, openDatabase, quoteLiteral } from "../../../pipeline/base/database/database.ts";
import { createCentres } from "./centres.ts";
import { SYNTHETIC_KINDS, type SyntheticKind, type SyntheticKindName } from "./kinds.ts";
import { createWords } from "./words.ts";

/** Enough for one row group per connection. More rows give more files, as in Overture's releases. */
const ROWS_OF_FILE = 250_000;

const SAMPLE = fileURLToPath(new URL("../../../data/sample", import.meta.url));

export interface SynthesiseOptions {
  readonly out: string;
  readonly seed: number;
  /** Rows to generate, by kind. */
  readonly rows: Readonly<Partial<Record<SyntheticKindName, number>>>;
  readonly onProgress?: ((progress: SynthesiseProgress) => void) | undefined;
}

/** Generated and total rows. */
export interface SynthesiseProgress {
  readonly done: number;
  readonly total: number;
}

interface Part {
  readonly kind: SyntheticKind;
  readonly start: number;
  readonly end: number;
  readonly path: string;
}

/** Writes `theme=<theme>/type=<type>/part-<n>.zstd.parquet` into the folder. Returns the paths. */
export async function synthesise({ out, seed, rows, onProgress }: SynthesiseOptions): Promise<string[]> {
  const kinds = (Object.keys(SYNTHETIC_KINDS) as SyntheticKindName[]).filter((name) => (rows[name] ?? 0) > 0);
  const total = kinds.reduce((sum, name) => sum + (rows[name] ?? 0), 0);
  if (total === 0) throw new Error("no rows to make, expected a number above 0 for one kind at least");
  const parts = kinds.flatMap((name) => partsOf(out, SYNTHETIC_KINDS[name], rows[name] ?? 0));
  for (const { kind } of parts) await makeEmptyFolder(folderOf(out, kind));
  const scratch = await mkdtemp(join(tmpdir(), "cairn-synth-"));
  const database = await openDatabase({ folder: scratch });
  try {
    await database.run("SET preserve_insertion_order = true");
    // Joins must stream the rows' side, which keeps their order and little memory.
    await database.run("SET disabled_optimizers = 'join_order,build_side_probe_side'");
    await createCentres(database, SAMPLE, seed);
    await createWords(database, seed);
    for (const name of kinds) await SYNTHETIC_KINDS[name].prepare(database, SAMPLE);
    let done = 0;
    onProgress?.({ done, total });
    await database.each(parts, async (connection, part) => {
      await writePart(connection, part, seed);
      done += part.end - part.start;
      onProgress?.({ done, total });
    });
    return parts.map(({ path }) => path);
  } finally {
    database.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

function folderOf(out: string, { type }: SyntheticKind): string {
  return join(out, `theme=${COLLECTIONS[type].theme}`, `type=${type}`);
}

function partsOf(out: string, kind: SyntheticKind, rows: number): Part[] {
  return Array.from({ length: Math.ceil(rows / ROWS_OF_FILE) }, (_, i) => ({
    kind,
    start: i * ROWS_OF_FILE,
    end: Math.min(rows, (i + 1) * ROWS_OF_FILE),
    path: join(folderOf(out, kind), `part-${String(i).padStart(5, "0")}.zstd.parquet`),
  }));
}

/** Files of two runs in one folder would be one mixed dataset. */
async function makeEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const [unexpected] = await readdir(folder);
  if (unexpected !== undefined) throw new Error(`${folder}: holds ${unexpected}, expected an empty folder`);
}

async function writePart(connection: Database, { kind, start, end, path }: Part, seed: number): Promise<void> {
  const temporary = `${path}.tmp`;
  const metadata = `KV_METADATA {geo: ${quoteLiteral(geoMetadata(kind.geometryTypes, [-180, -90, 180, 90]))}}`;
  // The geometry as plain bytes, because DuckDB would add its own metadata.
  const sql = `SELECT * REPLACE (ST_AsWKB(geometry)::BLOB AS geometry) FROM (${kind.sql({ start, end, seed })})`;
  await connection.run(`COPY (${sql}) TO ${quoteLiteral(temporary)} (FORMAT parquet, COMPRESSION zstd, ${metadata})`);
  await rename(temporary, path);
}
