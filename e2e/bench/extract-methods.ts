/**
 * `npm run bench:extract -- <release folder>`: compares two ways to filter row groups, for decision 19.
 * @module
 */
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type FileMetaData, parquetMetadata, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { BBox } from "../../data/format/bbox.ts";
import { isOvertureType } from "../../data/format/collections.ts";
import { MAGIC, newFile } from "../../data/parquet/index.ts";
import { pickGroups } from "../../data/release/index.ts";
import { openDatabase } from "../../pipeline/base/database/index.ts";
import { filesBelow } from "../../pipeline/base/disk/index.ts";
import { boxFilter, shareOfBox } from "../../pipeline/overture/area/index.ts";
import { filterFile } from "../../pipeline/overture/get/fetch-extract.ts";

const BOXES: Readonly<Record<string, BBox>> = {
  Monaco: [7.4, 43.72, 7.44, 43.76],
  "a third of Boulder": [-105.3, 40, -105.2, 40.03],
};

/** The median of this many runs counts. */
const RUNS = 5;

interface Way {
  readonly rows: number;
  readonly bytes: number;
}

const folder = parseFolder();
const scratch = await mkdtemp(join(tmpdir(), "cairn-extract-"));
const database = await openDatabase({ folder: scratch });
try {
  console.log(
    "| area | row groups | raw: rows | ms | bytes written | decoded: rows | ms | bytes written |\n|---|---|---|---|---|---|---|---|",
  );
  for (const [name, bbox] of Object.entries(BOXES)) await compare(name, bbox);
} finally {
  database.close();
  await rm(scratch, { recursive: true, force: true });
}

function parseFolder(): string {
  try {
    const [folder, ...others] = parseArgs({ allowPositionals: true }).positionals;
    if (!folder || others.length > 0) throw new Error("expected the folder of a release");
    return folder;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`${reason}\n\nnpm run bench:extract -- <release folder>`);
    process.exit(2);
  }
}

interface Source {
  readonly path: string;
  readonly content: Buffer;
  readonly metadata: FileMetaData;
  readonly groups: readonly number[];
}

async function compare(name: string, bbox: BBox): Promise<void> {
  const share = shareOfBox(boxFilter(bbox));
  const sources: Source[] = [];
  for (const path of (await filesBelow(folder)).filter((file) => file.endsWith(".parquet"))) {
    const content = await readFile(join(folder, path));
    const metadata = parquetMetadata(content, { geoparquet: false });
    const groups = pickGroups(metadata, share).map(({ index }) => index);
    if (groups.length > 0) sources.push({ path, content, metadata, groups });
  }
  const raw = await measure(() => sum(sources, (source) => rawWay(source, bbox)));
  const decoded = await measure(() => sum(sources, (source) => decodedWay(source, bbox)));
  const groups = sources.reduce((total, source) => total + source.groups.length, 0);
  const tell = ({ rows, ms, bytes }: Way & { ms: number }) => `${rows} | ${ms.toFixed(0)} | ${bytes}`;
  console.log(`| ${name} | ${groups} | ${tell(raw)} | ${tell(decoded)} |`);
}

async function sum(sources: readonly Source[], way: (source: Source) => Promise<Way>): Promise<Way> {
  let [rows, bytes] = [0, 0];
  for (const source of sources) {
    const made = await way(source);
    rows += made.rows;
    bytes += made.bytes;
  }
  return { rows, bytes };
}

async function measure(work: () => Promise<Way>): Promise<Way & { ms: number }> {
  const times: number[] = [];
  let way: Way = { rows: 0, bytes: 0 };
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    way = await work();
    times.push(performance.now() - start);
  }
  return { ...way, ms: times.sort((a, b) => a - b)[RUNS >> 1] ?? 0 };
}

function typeOf(path: string) {
  const type = /type=(\w+)/.exec(path)?.[1] ?? "";
  if (isOvertureType(type)) return type;
  throw new Error(`${path}: no type`);
}

async function rawWay({ path, content, metadata, groups }: Source, bbox: BBox): Promise<Way> {
  const { spans, footer } = newFile(metadata, groups);
  const [from, to] = [join(scratch, "raw.parquet"), join(scratch, "wanted.parquet")];
  await writeFile(from, Buffer.concat([MAGIC, ...spans.map(({ start, end }) => content.subarray(start, end)), footer]));
  const { rows } = await filterFile(database, { from, to, type: typeOf(path), area: boxFilter(bbox) });
  return { rows, bytes: rows === 0 ? 0 : (await stat(to)).size };
}

async function decodedWay({ content, metadata, groups }: Source, [west, south, east, north]: BBox): Promise<Way> {
  const file = content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength) as ArrayBuffer;
  const starts = metadata.row_groups.map((_, i) =>
    Number(metadata.row_groups.slice(0, i).reduce((rows, group) => rows + group.num_rows, 0n)),
  );
  const wanted: Record<string, unknown>[] = [];
  for (const group of groups) {
    const rowStart = starts[group] ?? 0;
    const rowEnd = rowStart + Number(metadata.row_groups[group]?.num_rows ?? 0);
    const rows = await parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd, geoparquet: false });
    for (const row of rows) {
      const { xmin, xmax, ymin, ymax } = row.bbox as Record<"xmin" | "xmax" | "ymin" | "ymax", number>;
      if (xmax >= west && xmin <= east && ymax >= south && ymin <= north) wanted.push(row);
    }
  }
  if (wanted.length === 0) return { rows: 0, bytes: 0 };
  const names = Object.keys(wanted[0] ?? {});
  const columnData = names.map((name) => ({ name, data: wanted.map((row) => row[name]) }));
  const made = parquetWriteBuffer({ columnData, schema: metadata.schema, codec: "SNAPPY" });
  await writeFile(join(scratch, "decoded.parquet"), new Uint8Array(made));
  return { rows: wanted.length, bytes: made.byteLength };
}
