/**
 * A miniature release in Overture's layout: several files per type, several row groups per file, and the STAC
 * catalogue. Its rows are the sample's.
 * @module
 */
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BBox } from "../../../data/format/bbox.ts";
import { COLLECTIONS, OVERTURE_TYPES, type OvertureType } from "../../../data/format/collections.ts";
import { geoMetadata } from "../../../data/format/geo-metadata.ts";
import {
  type Database,
  openDatabase,
  quoteIdentifier,
  quoteLiteral,
} from "../../../pipeline/base/database/database.ts";
import { type ReleaseFile, stacDocuments } from "./stac.ts";

const SAMPLE = fileURLToPath(new URL("../../../data/sample", import.meta.url));

/** DuckDB's minimum rows of a row group. */
const ROWS_OF_GROUP = 2048;

export interface ReleaseOptions {
  /** Folder of the release and its catalogue: `release/<name>/theme=…/type=…/` and `catalog.json`. */
  readonly out: string;
  /** Oldest first; the last is the latest. All have the same rows. */
  readonly releases: readonly string[];
  readonly types?: readonly OvertureType[] | undefined;
  /** The catalogue's address in its content. */
  readonly catalogUrl?: string;
  /** The files' address in the catalogue. */
  readonly dataUrl?: string;
  readonly groupsOfFile?: number;
}

/** Writes files and catalogue. Returns the files of all releases. */
export async function makeRelease({
  out,
  releases,
  types = OVERTURE_TYPES,
  catalogUrl = "https://stac.overturemaps.org",
  dataUrl = "https://overturemaps-us-west-2.s3.us-west-2.amazonaws.com",
  groupsOfFile = 2,
}: ReleaseOptions): Promise<ReleaseFile[]> {
  const scratch = await mkdtemp(join(tmpdir(), "cairn-release-"));
  const database = await openDatabase({ folder: scratch });
  try {
    const made: ReleaseFile[] = [];
    for (const release of releases)
      for (const type of types) made.push(...(await writeType(database, { out, release, type, groupsOfFile })));
    for (const [path, document] of stacDocuments(made, { catalogUrl, dataUrl })) {
      await mkdir(dirname(join(out, path)), { recursive: true });
      await writeFile(join(out, path), `${JSON.stringify(document, null, 2)}\n`);
    }
    return made;
  } finally {
    database.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

interface TypeOptions {
  readonly out: string;
  readonly release: string;
  readonly type: OvertureType;
  readonly groupsOfFile: number;
}

async function writeType(
  database: Database,
  { out, release, type, groupsOfFile }: TypeOptions,
): Promise<ReleaseFile[]> {
  const sources = await sampleFiles(type);
  if (sources.length === 0) return [];
  const selects = await Promise.all(sources.map((path) => rowsSql(database, path, type)));
  await database.run(`
    CREATE OR REPLACE TEMP TABLE mini AS
    SELECT *, row_number() OVER (ORDER BY ${MORTON_SQL}, id) - 1 AS place FROM (${selects.join(" UNION ALL ")})
    QUALIFY row_number() OVER (PARTITION BY id ORDER BY version DESC) = 1`);
  const [counted] = await database.rows<{ rows: number }>("SELECT count(*) AS rows FROM mini");
  const rowsOfFile = ROWS_OF_GROUP * groupsOfFile;
  const folder = `release/${release}/theme=${COLLECTIONS[type].theme}/type=${type}`;
  await mkdir(join(out, folder), { recursive: true });
  const files: ReleaseFile[] = [];
  for (let start = 0; start < (counted?.rows ?? 0); start += rowsOfFile) {
    const number = String(files.length).padStart(5, "0");
    const path = `${folder}/part-${number}-${UUID}-c000.zstd.parquet`;
    files.push(await writeFilePart(database, { out, path, release, type, start, end: start + rowsOfFile }));
  }
  return files;
}

/** Spark uses one UUID for all files of a job. */
const UUID = "c7e47654-8483-5b8f-b183-7ba73334f7a5";

/** 16 alternating bits of longitude and latitude, as in a geohash. */
const MORTON_SQL = `list_sum(list_transform(range(16), lambda i:
  ((((bbox.xmin + 180) / 360 * 65535)::BIGINT >> i) & 1) << (2 * i + 1) | ((((bbox.ymin + 90) / 180 * 65535)::BIGINT >> i) & 1) << (2 * i)))`;

async function sampleFiles(type: OvertureType): Promise<string[]> {
  const folders = (await readdir(SAMPLE, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const names = await Promise.all(
    folders.map(async ({ name }) => (await readdir(join(SAMPLE, name))).map((file) => join(SAMPLE, name, file))),
  );
  return names
    .flat()
    .filter((path) => path.endsWith(`/${type}.parquet`))
    .sort();
}

/** The file's rows with the schema's columns. Missing columns are null. */
async function rowsSql(database: Database, path: string, type: OvertureType): Promise<string> {
  const from = `read_parquet(${quoteLiteral(path)})`;
  const has = new Set((await database.columns(`SELECT * FROM ${from}`)).map(({ name }) => name));
  const wanted = COLLECTIONS[type].columns.map(({ name, type: sqlType }) => ({
    name,
    sqlType: name === "geometry" ? "BLOB" : sqlType,
  }));
  if (COLLECTIONS[type].countryRule === "declared") wanted.push({ name: "country", sqlType: "VARCHAR" });
  const columns = wanted.map(({ name, sqlType }) => {
    const value = has.has(name) ? `TRY(CAST(${quoteIdentifier(name)} AS ${sqlType}))` : `NULL::${sqlType}`;
    return `${value} AS ${quoteIdentifier(name)}`;
  });
  return `SELECT ${columns.join(", ")} FROM ${from}`;
}

interface PartOptions extends Omit<TypeOptions, "groupsOfFile"> {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

async function writeFilePart(
  database: Database,
  { out, path, release, type, start, end }: PartOptions,
): Promise<ReleaseFile> {
  const from = `mini WHERE place >= ${start} AND place < ${end}`;
  const [box] = await database.rows<{ west: number; south: number; east: number; north: number; rows: number }>(`
    SELECT min(bbox.xmin) AS west, min(bbox.ymin) AS south, max(bbox.xmax) AS east, max(bbox.ymax) AS north, count(*) AS rows FROM ${from}`);
  if (!box) throw new Error(`${path}: no rows`);
  const bbox: BBox = [box.west, box.south, box.east, box.north];
  const metadata = `KV_METADATA {geo: ${quoteLiteral(geoMetadata([], bbox))}}`;
  const temporary = join(out, `${path}.tmp`);
  await database.run(`
    COPY (SELECT * EXCLUDE (place) FROM ${from} ORDER BY place) TO ${quoteLiteral(temporary)}
    (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROWS_OF_GROUP}, ${metadata})`);
  await rename(temporary, join(out, path));
  const [counted] = await database.rows<{ groups: number }>(
    `SELECT num_row_groups AS groups FROM parquet_file_metadata(${quoteLiteral(join(out, path))})`,
  );
  return { release, type, path, bbox, rows: box.rows, groups: counted?.groups ?? 0 };
}
