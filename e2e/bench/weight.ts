/**
 * `npm run bench:weight -- [--dataset <folder>] [--source <bytes>]`: bytes and files of a dataset by content, the
 * share of
 * footers in its primary copy, compared with its sources; and bytes per row, which `cairn get` uses for estimates.
 * @module
 */
import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isCollectionName } from "../../data/format/collections.ts";
import { isPage } from "../../data/format/manifest.ts";
import { parseManifest } from "../../data/format/manifest-schema.ts";
import { locationPackPath, MANIFEST_PATH } from "../../data/format/paths.ts";
import { walkIndex } from "../../data/format/walk-index.ts";
import { filesBelow } from "../../pipeline/base/disk/index.ts";
import { pageReader } from "../../pipeline/builder/index/index.ts";
import { DATASET_FOLDER } from "../support/folders.ts";
import { readOptions } from "../support/options.ts";
import { writeSection } from "./document.ts";
import { writeResult } from "./results.ts";

const FOR_READERS = "docs/guides/field.md";
const COMMAND = "npm run bench:weight";
/** Bytes of the sample's sources. */
const SAMPLE_BYTES = 17_639_979;
/** Kinds with their own column. */
const KINDS = ["primary", "records", "ids", "points", "term", "find", "suggest"];
const OTHER = "other";
/** Files outside of collections. */
const NONE = "index, rejects, STAC";
/** The length of a Parquet footer, and the magic. */
const TAIL_BYTES = 8;

interface Amount {
  bytes: number;
  files: number;
}

type Row = Map<string, Amount>;

const { values } = readOptions({
  usage: "npm run bench:weight -- [--dataset <folder>] [--source <bytes>]",
  options: {
    dataset: { type: "string", default: DATASET_FOLDER },
    source: { type: "string", default: String(SAMPLE_BYTES) },
  },
});
const { dataset } = values;
const rows = await weigh(dataset);
const total: Row = new Map();
for (const [kind, { bytes, files }] of [...rows.values()].flatMap((row) => [...row])) add(total, kind, bytes, files);
const whole = sumOf(total);
const report = `\
| bytes | all | files | ${[...KINDS, OTHER].join(" | ")} |
| --- | ---: | ---: |${" ---: |".repeat(KINDS.length + 1)}
${[...rows].map(([name, row]) => line(name, row)).join("\n")}
${line("all", total)}
${line("files", new Map([...total].map(([kind, { files }]) => [kind, { bytes: files, files }])))}

${(whole.bytes / Number(values.source)).toFixed(2)} times the ${grouped(Number(values.source))} bytes of the sources. Footers are ${grouped(await footerBytes(dataset))} bytes of the primary copy.`;
await writeResult({ name: "weight", command: COMMAND }, report);
const aRow = await bytesARow(dataset);
await writeSection(FOR_READERS, { name: "bytes a row", command: COMMAND, heading: "## How large" }, aRow);
console.log(`${report}\n\n${aRow}`);

async function weigh(folder: string): Promise<Map<string, Row>> {
  const weights = new Map<string, Row>();
  for (const path of (await filesBelow(folder)).sort()) {
    const [collection = "", kind = ""] = path.split("/");
    const name = isCollectionName(collection) ? collection : NONE;
    const row = weights.get(name) ?? new Map();
    weights.set(name, row);
    const own = kind.startsWith("country=") ? "primary" : kind.slice(1);
    add(row, name !== NONE && KINDS.includes(own) ? own : OTHER, (await stat(join(folder, path))).size, 1);
  }
  return weights;
}

/** By collection, including all of its files. */
async function bytesARow(folder: string): Promise<string> {
  const { collections } = parseManifest(JSON.parse(await readFile(join(folder, MANIFEST_PATH), "utf8")));
  const lines = Object.entries(collections).map(([name, collection]) => {
    const { bytes } = sumOf(rows.get(name) ?? new Map());
    return `| ${name} | ${grouped(collection.rows)} | ${grouped(Math.round(bytes / collection.rows))} |`;
  });
  return `| collection | rows | bytes a row |\n| --- | ---: | ---: |\n${lines.join("\n")}`;
}

/** Footers of slices, and joint footers. */
async function footerBytes(folder: string): Promise<number> {
  const { collections } = parseManifest(JSON.parse(await readFile(join(folder, MANIFEST_PATH), "utf8")));
  const readPage = pageReader(folder);
  let bytes = 0;
  for (const [name, collection] of Object.entries(collections)) {
    if (!isCollectionName(name)) continue;
    const packs = new Map<string, number>();
    for await (const node of walkIndex(collection.runs.location.nodes, (page) => readPage(name, page))) {
      if (isPage(node) || !("points" in node)) continue;
      const path = locationPackPath(name, node);
      packs.set(path, (packs.get(path) ?? 0) + node.bytes);
      bytes += await footerBefore(join(folder, path), node.offset + node.bytes);
    }
    for (const [path, held] of packs) bytes += (await stat(join(folder, path))).size - held;
  }
  return bytes;
}

async function footerBefore(path: string, end: number): Promise<number> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, end - TAIL_BYTES);
    return buffer.readUInt32LE(0) + TAIL_BYTES;
  } finally {
    await file.close();
  }
}

function add(row: Row, kind: string, bytes: number, files: number): void {
  const known = row.get(kind) ?? { bytes: 0, files: 0 };
  row.set(kind, { bytes: known.bytes + bytes, files: known.files + files });
}

function sumOf(row: Row): Amount {
  const amounts = [...row.values()];
  return {
    bytes: amounts.reduce((sum, { bytes }) => sum + bytes, 0),
    files: amounts.reduce((sum, { files }) => sum + files, 0),
  };
}

function line(name: string, row: Row): string {
  const { bytes, files } = sumOf(row);
  const cells = [bytes, files, ...[...KINDS, OTHER].map((kind) => row.get(kind)?.bytes ?? 0)];
  return `| ${name} | ${cells.map(grouped).join(" | ")} |`;
}

function grouped(number: number): string {
  return number.toLocaleString("en");
}
