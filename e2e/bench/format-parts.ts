/**
 * Measures parts of a dataset in other encodings: records in blocks of other sizes, and postings as gaps between row
 * numbers.
 * `npm run bench:format -- place 'folder/*.parquet'`, for GeoParquet of any type; see
 * docs/decisions/18-parts-of-format-3.md.
 * @module
 */
import { parseArgs } from "node:util";
import { deflateRawSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { readWkb } from "../../data/format/geometry.ts";
import { storedTerms, type TermColumns } from "../../data/format/terms.ts";
import { writeTwkb } from "../../data/format/twkb.ts";

const MOST_RECORDS = 60_000;
const BLOCK_BYTES = [1024, 2048, 4096];
const DICTIONARY_BYTES = [0, 8192, 32_768];
/** Block header: length, number of rows, checksum. */
const HEADER_BYTES = 12;
/** Approximate bytes of a slice of posting lists before compression. */
const SLICE_BYTES = 32_768;
/** Members that the index stores separately, or that the folder implies. */
const APART = new Set(["geometry", "bbox", "theme", "type"]);

const [type, files] = parseArguments();
const connection = await (await DuckDBInstance.create()).connect();
const from = `read_parquet('${files.replaceAll("'", "''")}', hive_partitioning = false)`;
const described = (await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`)).getRowObjects();
const columns = described.map(({ column_name }) => String(column_name));
const wkb = described.some((column) => column.column_name === "geometry" && column.column_type === "BLOB");
const country = type === "place" ? "addresses[1].country" : columns.includes("country") ? "country" : "'ZZ'";
const members = columns.filter((name) => !APART.has(name)).map((name) => `"${name}" := "${name}"`);
const select = `SELECT ${country} AS country, to_json(struct_pack(${members.join(", ")}))::VARCHAR AS json,
  ${wkb ? "geometry" : "ST_AsWKB(geometry)"}::BLOB AS geometry FROM ${from} ORDER BY country, id`;

interface Postings {
  rows: number;
  readonly byTerm: Map<string, number[]>;
}

const records: Buffer[] = [];
const samples: Buffer[] = [];
const countries = new Map<string, Postings>();
const stream = await connection.stream(select);
for (let chunk = await stream.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await stream.fetchChunk()) {
  for (const [name, json, geometry] of chunk.getRows()) {
    const row = JSON.parse(String(json)) as TermColumns;
    if (records.length < MOST_RECORDS) {
      const bytes = (geometry as { bytes: Uint8Array }).bytes;
      const text = Buffer.from(JSON.stringify(row, (_, value: unknown) => (value === null ? undefined : value)));
      const shape = Buffer.from(writeTwkb(readWkb(bytes)) ?? bytes);
      records.push(Buffer.concat([text, Buffer.from("\n"), varint(shape.length), shape]));
      samples.push(text);
    }
    addPostings(String(name), row);
  }
}
reportRecords();
reportPostings();

function parseArguments(): [type: string, files: string] {
  try {
    const [type, files, ...others] = parseArgs({ allowPositionals: true }).positionals;
    if (!type || !files || others.length > 0) throw new Error("expected a type and its files");
    return [type, files];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`${reason}\n\nnpm run bench:format -- <type> '<GeoParquet files>'`);
    process.exit(2);
  }
}

function addPostings(name: string, row: TermColumns): void {
  const mine = countries.get(name) ?? { rows: 0, byTerm: new Map() };
  countries.set(name, mine);
  for (const term of storedTerms(row)) {
    const list = mine.byTerm.get(term);
    if (list) list.push(mine.rows);
    else mine.byTerm.set(term, [mine.rows]);
  }
  mine.rows++;
}

function reportRecords(): void {
  console.log(
    "| block | dictionary | compressed | bytes a row | rows a block | left empty |\n|--:|--:|--:|--:|--:|--:|",
  );
  for (const dictionaryBytes of DICTIONARY_BYTES) {
    const dictionary = dictionaryOf(dictionaryBytes);
    const weight = dictionaryBytes === 0 ? 0 : deflateRawSync(dictionary, { level: 9 }).length;
    for (const blockBytes of BLOCK_BYTES) {
      const { blocks, groups, used } = fillBlocks(blockBytes, dictionary);
      const left = 100 * (1 - used / (blocks * blockBytes));
      const perRow = (blocks * blockBytes) / records.length;
      console.log(
        `| ${blockBytes} | ${dictionaryBytes} | ${weight} | ${perRow.toFixed(1)} | ${(records.length / groups).toFixed(1)} | ${left.toFixed(1)} % |`,
      );
    }
  }
}

/** Records from all parts of the data, as many as fit. */
function dictionaryOf(bytes: number): Buffer {
  const step = Math.max(1, Math.floor(samples.length / 400));
  return Buffer.concat(samples.filter((_, index) => index % step === 0)).subarray(0, bytes);
}

/** Fills each block with as many records as fit. A larger record uses several blocks. */
function fillBlocks(blockBytes: number, dictionary: Buffer): { blocks: number; groups: number; used: number } {
  const options = { level: 9, ...(dictionary.length > 0 ? { dictionary } : {}) };
  const pack = (start: number, end: number): number =>
    deflateRawSync(Buffer.concat(records.slice(start, end)), options).length + HEADER_BYTES;
  let [blocks, groups, used] = [0, 0, 0];
  for (let start = 0, guess = 8; start < records.length; ) {
    let [fits, tooMany] = [0, records.length - start + 1];
    let bytes = 0;
    for (let count = Math.min(guess, tooMany - 1); count > fits && count < tooMany; ) {
      const packed = pack(start, start + count);
      if (packed <= blockBytes) [fits, bytes] = [count, packed];
      else tooMany = count;
      const next = Math.floor((count * blockBytes) / packed);
      count =
        packed <= blockBytes
          ? Math.min(Math.max(next, count + 1), tooMany - 1)
          : Math.max(fits + 1, Math.min(next, count - 1));
    }
    const taken = Math.max(1, fits);
    if (fits === 0) bytes = pack(start, start + 1);
    blocks += Math.ceil(bytes / blockBytes);
    groups++;
    used += bytes;
    start += taken;
    guess = taken;
  }
  return { blocks, groups, used };
}

function reportPostings(): void {
  let [rows, terms, postings, packed] = [0, 0, 0, 0];
  for (const { rows: mine, byTerm } of countries.values()) {
    rows += mine;
    let slice: Buffer[] = [];
    let sizeBytes = 0;
    let before = "";
    const flush = (): void => {
      packed += deflateRawSync(Buffer.concat(slice)).length;
      [slice, sizeBytes] = [[], 0];
    };
    for (const [term, list] of [...byTerm].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const entry = encodeEntry(term, before, list);
      before = term;
      terms++;
      postings += list.length;
      slice.push(entry);
      sizeBytes += entry.length;
      if (sizeBytes > SLICE_BYTES) flush();
    }
    if (slice.length > 0) flush();
  }
  console.log(
    `\n${rows} rows, ${terms} terms, ${postings} postings: dictionary and lists ${packed} bytes, ${(packed / rows).toFixed(1)} a row`,
  );
}

/** Front coding of the term, and the gaps between its rows. */
function encodeEntry(term: string, before: string, rows: readonly number[]): Buffer {
  let shared = 0;
  while (shared < before.length && before[shared] === term[shared]) shared++;
  const tail = Buffer.from(term.slice(shared));
  const gaps: number[] = [];
  let last = -1;
  for (const row of rows) {
    appendVarint(gaps, row - last - 1);
    last = row;
  }
  return Buffer.concat([varint(shared), varint(tail.length), tail, varint(rows.length), Uint8Array.from(gaps)]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  appendVarint(bytes, value);
  return Uint8Array.from(bytes);
}

function appendVarint(bytes: number[], value: number): void {
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 128);
  bytes.push(left);
}
