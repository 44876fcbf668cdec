/**
 * Executes a plan: downloads the planned row groups of each file in parallel, and writes their wanted rows to files.
 * @module
 */
import { cp, rename, rm, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { OvertureType } from "../../../data/format/collections.ts";
import type { Span } from "../../../data/parquet/index.ts";
import {
  atATime,
  ChangedFileError,
  type ExtractPlan,
  openPlanned,
  type PlannedFile,
  type Remote,
  type RemoteFile,
} from "../../../data/release/index.ts";
import { countRows, type Database, quoteLiteral, quotePath } from "../../base/database/index.ts";
import { DISK, makeFolder, parseJson, readOptional, writeWhole } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { type AreaFilter, wantedSql } from "../area/index.ts";
import { type Citation, readCitations } from "../extract/index.ts";
import { type Extract, sourceOf } from "./extract-folder.ts";
import { endFile, fetchPiece, missingPieces, type WantedFile } from "./fetch-file.ts";

/** Facts of a finished file with the wanted rows of one file of the release. */
export interface FileFacts {
  readonly type: OvertureType;
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  readonly citations: readonly Citation[];
}

export interface FetchProgress {
  readonly type: OvertureType;
  /** Bytes of this type that are downloaded or copied so far, in this and in interrupted runs. */
  readonly bytes: number;
  readonly total: number;
}

export interface OlderExtract {
  readonly folder: string;
  readonly extract: Extract;
}

interface FetchOptions {
  readonly remote: Remote;
  readonly database: Database;
  readonly plan: ExtractPlan;
  readonly work: string;
  /** Extracts of the same area, whose unchanged files are copied. */
  readonly olders: readonly OlderExtract[];
  readonly onNotice: (message: string) => void;
  readonly connections: number;
  readonly onProgress: (progress: FetchProgress) => void;
}

interface OpenFile {
  readonly planned: PlannedFile;
  readonly wanted: WantedFile;
  readonly source: () => Promise<RemoteFile>;
  readonly missing: readonly Span[];
  left: number;
}

/** Returns the path in the work folder of a file with only its wanted rows. */
export function madePath(work: string, { path }: Pick<PlannedFile, "path">): string {
  return join(work, "made", path);
}

/**
 * Downloads the planned parts of all files, or copies unchanged ones, and writes their wanted rows. Returns facts of
 * each file in the order of the plan. Throws before the download if the disk has too little space. After an error,
 * finished pieces stay for the next call.
 */
export async function fetchExtract(options: FetchOptions): Promise<FileFacts[]> {
  const { plan, work, connections } = options;
  await takeUnchanged(options);
  const facts = await Promise.all(plan.files.map((file) => readFacts(work, file)));
  const files = await Promise.all(plan.files.filter((_, i) => !facts[i]).map((file) => openFile(options, file)));
  refuseFullDisk(work, await roomFor(work, files));
  const tell = progressOf(plan, files, options.onProgress);
  const filtering = oneAfterAnother();
  for (const file of files.filter(({ left }) => left === 0)) await keepWanted(options, file);
  const pieces = files.flatMap((file) => file.missing.map((piece) => ({ file, piece })));
  const stop = new AbortController();
  try {
    await atATime(pieces, connections, async ({ file, piece }) => {
      try {
        await fetchPiece(await file.source(), piece, file.wanted, stop.signal);
      } catch (error) {
        stop.abort(error);
        throw error;
      }
      tell(file.planned.type, piece.end - piece.start);
      if (--file.left === 0) await filtering(() => keepWanted(options, file));
    });
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  }
  return Promise.all(plan.files.map(async (file) => (await readFacts(work, file)) as FileFacts));
}

/** Copies files with the same downloaded part from older extracts. */
async function takeUnchanged({ plan, work, olders, database, onNotice }: FetchOptions): Promise<void> {
  for (const { folder, extract } of olders) {
    let taken = 0;
    for (const planned of plan.files) {
      const now = sourceOf(planned);
      const same = extract.sources?.find(
        ({ path, rows: _, ...before }) => dirname(path) === dirname(planned.path) && isDeepStrictEqual(before, now),
      );
      if (!same || (await readFacts(work, planned))) continue;
      const from = join(folder, same.path);
      const held = same.rows === 0 ? 0 : await countHeld(database, from);
      if (held !== same.rows) continue;
      await noteKept(work, planned, await keepCopy(database, from, { to: madePath(work, planned), rows: held }));
      taken++;
    }
    if (taken > 0)
      onNotice(
        `${taken} of ${plan.files.length} files did not change since ${extract.release} and are not downloaded again`,
      );
  }
}

async function keepCopy(
  database: Database,
  from: string,
  { to, rows }: { readonly to: string; readonly rows: number },
): Promise<Filtered> {
  if (rows === 0) return { rows, citations: [] };
  const temporary = `${to}.tmp`;
  await makeFolder(dirname(to));
  await cp(from, temporary);
  await DISK.syncFile(temporary);
  await rename(temporary, to);
  return { rows, citations: await citationsOf(database, to) };
}

/** Returns the number of rows; undefined if the file is missing or unreadable. */
async function countHeld(database: Database, path: string): Promise<number | undefined> {
  return countRows(database, `read_parquet(${quotePath(path)}, hive_partitioning = false)`).catch(() => undefined);
}

async function citationsOf(database: Database, path: string): Promise<readonly Citation[]> {
  const source = `read_parquet(${quotePath(path)}, hive_partitioning = false)`;
  const columns = await database.columns(`SELECT * FROM ${source}`);
  return columns.some(({ name }) => name === "sources") ? readCitations(database, source) : [];
}

async function openFile({ remote, work }: FetchOptions, planned: PlannedFile): Promise<OpenFile> {
  const wanted = {
    path: join(work, "raw", planned.path),
    spans: planned.spans,
    footer: Buffer.from(planned.footer, "base64"),
  };
  const missing = (await missingPieces(wanted)) ?? [];
  let opened: Promise<RemoteFile> | undefined;
  const source = (): Promise<RemoteFile> => {
    opened ??= openAsPlanned(remote, planned).catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return { planned, wanted, source, missing, left: missing.length };
}

async function openAsPlanned(remote: Remote, planned: PlannedFile): Promise<RemoteFile> {
  try {
    return await openPlanned(remote, planned);
  } catch (error) {
    throw error instanceof ChangedFileError
      ? new CodedError("CAIRN_E_OVERTURE", `${error.message}; --force starts again`, { cause: error })
      : error;
  }
}

async function keepWanted({ database, work, plan }: FetchOptions, { planned, wanted }: OpenFile): Promise<void> {
  await endFile(wanted);
  const to = madePath(work, planned);
  const kept = await filterFile(database, { from: wanted.path, to, type: planned.type, area: plan.area });
  await noteKept(work, planned, kept);
  await rm(wanted.path, { force: true });
}

/** Stores the facts of a file whose wanted rows are written. */
async function noteKept(work: string, planned: PlannedFile, { rows, citations }: Filtered): Promise<void> {
  const { type, path } = planned;
  const bytes = rows > 0 ? (await stat(madePath(work, planned))).size : 0;
  const facts: FileFacts = { type, path, rows, bytes, citations };
  await writeWhole(factsPath(work, planned), JSON.stringify(facts));
}

function factsPath(work: string, { path }: PlannedFile): string {
  return join(work, "facts", `${path}.json`);
}

async function readFacts(work: string, file: PlannedFile): Promise<FileFacts | undefined> {
  const path = factsPath(work, file);
  const text = await readOptional(path);
  return text === undefined ? undefined : (parseJson(path, text) as FileFacts);
}

/**
 * Returns the missing bytes and the free space of the disk. Adds half for the wanted rows, which are written before the
 * row groups are removed.
 */
async function roomFor(work: string, files: readonly OpenFile[]): Promise<{ needed: number; free: number }> {
  const bytes = files.flatMap(({ missing }) => missing).reduce((sum, { start, end }) => sum + end - start, 0);
  const { bavail, bsize } = await statfs(work);
  return { needed: Math.ceil(bytes * 1.5), free: bavail * bsize };
}

/** Throws CAIRN_E_DISK_FULL if fewer bytes are free than needed. `work` is the folder that the message names. */
export function refuseFullDisk(
  work: string,
  { needed, free }: { readonly needed: number; readonly free: number },
): void {
  if (needed > free)
    throw new CodedError("CAIRN_E_DISK_FULL", `${work}: the disk has ${free} bytes left, and ${needed} are needed`);
}

function progressOf(
  plan: ExtractPlan,
  files: readonly OpenFile[],
  onProgress: FetchOptions["onProgress"],
): (type: OvertureType, bytes: number) => void {
  const done = new Map<OvertureType, { bytes: number; total: number }>();
  for (const { type } of plan.types) done.set(type, { bytes: 0, total: 0 });
  const add = (type: OvertureType, bytes: number): void => {
    const sums = done.get(type) ?? { bytes: 0, total: 0 };
    sums.bytes += bytes;
    onProgress({ type, ...sums });
  };
  for (const { type, bytes } of plan.files) {
    const sums = done.get(type);
    if (sums) sums.total += bytes;
  }
  for (const { type } of plan.types) {
    const left = files.filter(({ planned }) => planned.type === type).flatMap(({ missing }) => missing);
    add(type, (done.get(type)?.total ?? 0) - left.reduce((sum, { start, end }) => sum + end - start, 0));
  }
  return add;
}

function oneAfterAnother(): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

interface FilterOptions {
  readonly from: string;
  readonly to: string;
  readonly type: OvertureType;
  readonly area: AreaFilter;
}

interface Filtered {
  readonly rows: number;
  readonly citations: readonly Citation[];
}

/**
 * Writes the rows of a Parquet file that meet the area to `to`, in the same order, with all columns. Returns their
 * number and the datasets that they name. Without such rows, writes no file.
 */
export async function filterFile(database: Database, { from, to, type, area }: FilterOptions): Promise<Filtered> {
  const source = `read_parquet(${quotePath(from)}, hive_partitioning = false)`;
  const columns = await database.columns(`SELECT * FROM ${source}`);
  const wanted = wantedSql(database, area, { type, columns });
  const temporary = `${to}.tmp`;
  await makeFolder(dirname(to));
  const geo = await geoOf(database, from);
  const metadata = geo === undefined ? "" : `, KV_METADATA {geo: ${quoteLiteral(geo)}}`;
  await database.run(
    `COPY (SELECT * FROM ${source} WHERE ${wanted}) TO ${quoteLiteral(temporary)} (FORMAT parquet, COMPRESSION zstd${metadata})`,
  );
  const written = `read_parquet(${quotePath(temporary)}, hive_partitioning = false)`;
  const [counted] = await database.rows<{ rows: number }>(`SELECT count(*) AS rows FROM ${written}`);
  const rows = counted?.rows ?? 0;
  if (rows === 0) {
    await rm(temporary);
    return { rows, citations: [] };
  }
  const citations = await citationsOf(database, temporary);
  await DISK.syncFile(temporary);
  await rename(temporary, to);
  return { rows, citations };
}

const geoMetadata = z.looseObject({
  primary_column: z.string(),
  columns: z.record(z.string(), z.looseObject({ bbox: z.unknown() })),
});

/**
 * Returns the file's GeoParquet metadata as JSON, without the box, which is wrong for fewer rows. Undefined if the file
 * has none.
 */
async function geoOf(database: Database, path: string): Promise<string | undefined> {
  const [found] = await database.rows<{ geo: string }>(
    `SELECT decode(value) AS geo FROM parquet_kv_metadata(${quotePath(path)}) WHERE decode(key) = 'geo'`,
  );
  const result = geoMetadata.safeParse(found && JSON.parse(found.geo));
  if (!result.success) return undefined;
  const columns = Object.entries(result.data.columns).map(([name, { bbox: _, ...column }]) => [name, column]);
  return JSON.stringify({ ...result.data, columns: Object.fromEntries(columns) });
}
