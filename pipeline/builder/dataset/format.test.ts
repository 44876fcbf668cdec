import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import { BLOCK_BYTES } from "../../../data/format/blocks.ts";
import { COLLECTION_NAMES, type CollectionName } from "../../../data/format/collections.ts";
import { cutTerm } from "../../../data/format/fold.ts";
import { bboxOf, type Geometry } from "../../../data/format/geometry.ts";
import {
  ID_BLOCK_ROWS,
  MAX_SEGMENT_ROWS,
  numberInSegment,
  readSegmentDirectory,
} from "../../../data/format/id-order.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { ALL_COUNTRIES } from "../../../data/format/manifest.ts";
import { packPath } from "../../../data/format/paths.ts";
import { CHUNK_BLOCKS, recordPositionOf, type StoredRecord } from "../../../data/format/records.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import { MOST_POPULOUS, nameTerms } from "../../../data/format/suggestions.ts";
import { endTermsOf, storedTerms, type TermColumns } from "../../../data/format/terms.ts";
import { writeTwkb } from "../../../data/format/twkb.ts";
import { writeWkb } from "../../../data/format/write-wkb.ts";
import { openDatabase, quotePath } from "../../base/database/database.ts";
import { filesBelow } from "../../base/disk/files.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import {
  type AddressedRecord,
  type DatasetReader,
  idOf,
  pathOfSlice,
  readDataset,
} from "../../testing/read-dataset.ts";
import { type Row, readParquet, readParquetBytes } from "../../testing/read-parquet.ts";
import { buildDataset } from "./build.ts";

const PACK_BYTES = 300_000;

const newFolder = temporaryFolders();
let folder: string;
let dataset: DatasetReader;
let names: CollectionName[];

/** Rows of the primary copy by collection and id, read by another Parquet reader. */
const primary = new Map<CollectionName, Map<string, { readonly country: string; readonly row: Row }>>();
/** Records by collection and row number. */
const records = new Map<CollectionName, Map<number, AddressedRecord>>();
/** Records by collection and address. */
const stored = new Map<CollectionName, Map<number, AddressedRecord>>();

beforeAll(async () => {
  folder = await newFolder();
  const sources = ["monaco", "tokyo", "ireland", "germany"].map((name) => `data/sample/${name}`);
  // Small packs and tasks, to get many of both.
  await buildDataset({ sources, out: folder, packBytes: PACK_BYTES, taskRows: 2000 });
  dataset = await readDataset(folder);
  names = COLLECTION_NAMES.filter((name) => dataset.manifest.collections[name]);
  for (const name of names) {
    records.set(name, await dataset.numbered(name));
    stored.set(name, await dataset.records(name));
    primary.set(name, new Map());
  }
  for (const path of await filesBelow(folder)) {
    const [, name, country = ""] = /^(\w+)\/country=(..)\/geohash=[^/]+\/\w+\.parquet$/.exec(path) ?? [];
    const rows = primary.get(name as CollectionName);
    if (!rows) continue;
    for (const row of await readParquet(join(folder, path))) rows.set(String(row.id), { country, row });
  }
}, 600_000);

const recordsOf = (name: CollectionName) => records.get(name) ?? new Map<number, AddressedRecord>();
const storedOf = (name: CollectionName) => stored.get(name) ?? new Map<number, AddressedRecord>();
const rowsOf = (name: CollectionName) => primary.get(name) ?? new Map<string, { country: string; row: Row }>();

/** The row without the columns that a record stores separately, as JSON. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (member === null ? [] : [[key, plain(member)]])),
  );
}

function recordOf({ geometry: _, bbox: _box, ...columns }: Row): unknown {
  return plain(columns);
}

function shortest(geometry: Geometry): Uint8Array {
  return writeTwkb(geometry) ?? writeWkb(geometry);
}

function boxOf(rows: readonly Row[]): BBox {
  return bboxUnion(rows.map(({ geometry }) => bboxOf(geometry as Geometry) ?? [0, 0, 0, 0]));
}

test("every row of the primary copy is a record, and numbers have the order of country and id", () => {
  expect(names.length).toBe(12);
  for (const name of names) {
    const rows = rowsOf(name);
    expect(recordsOf(name).size, name).toBe(rows.size);
    expect(storedOf(name).size, name).toBe(rows.size);
    const wrong: string[] = [];
    let [before, last] = ["", -1];
    for (const [number, { country, record }] of recordsOf(name)) {
      const id = idOf(record);
      const expected = rows.get(id);
      if (!expected || expected.country !== country || compareIds(before, `${country} ${id}`) >= 0 || number <= last) {
        wrong.push(id);
        continue;
      }
      [before, last] = [`${country} ${id}`, number];
      const json = JSON.parse(Buffer.from(record.json).toString()) as Row;
      const isSame = JSON.stringify(json) === JSON.stringify(recordOf(expected.row));
      const geometry = shortest(expected.row.geometry as Geometry);
      if (!isSame || Buffer.compare(record.geometry, geometry) !== 0) wrong.push(id);
    }
    expect(wrong.slice(0, 5), name).toEqual([]);
  }
});

test("each segment has one country, and the index contains its position", async () => {
  for (const name of names) {
    const collection = dataset.manifest.collections[name];
    const firsts: Record<string, number> = {};
    const starts: Record<string, number> = {};
    const numbers: number[] = [];
    for (const [place, node] of (await dataset.nodes(name, "ids")).entries()) {
      expect(node.segment).toBe(place);
      firsts[node.country] ??= place;
      expect(node.start).toBe(starts[node.country] ?? 0);
      starts[node.country] = node.start + node.rows;
      expect(node.rows).toBeLessThanOrEqual(MAX_SEGMENT_ROWS);
      expect(node.blocks).toBe(Math.ceil(node.rows / ID_BLOCK_ROWS));
      for (let index = 0; index < node.rows; index++) numbers.push(numberInSegment(place, index));
      const mine = [...rowsOf(name).values()]
        .filter(
          ({ country, row }) =>
            country === node.country &&
            compareIds(String(row.id), node.first_id) >= 0 &&
            compareIds(String(row.id), node.last_id) <= 0,
        )
        .map(({ row }) => row);
      expect(mine.length).toBe(node.rows);
      expect(node.bbox).toEqual(boxOf(mine));
      const bytes = await dataset.slice(packPath(name, "ids", node.pack), node);
      if (node.blocks === 1) {
        expect(bytes.length).toBeLessThan(BLOCK_BYTES);
        continue;
      }
      const { ids } = await readSegmentDirectory(bytes.subarray(node.blocks * BLOCK_BYTES));
      const sorted = mine.map(({ id }) => String(id)).sort(compareIds);
      expect(ids).toEqual(sorted.filter((_, row) => row % ID_BLOCK_ROWS === 0));
    }
    expect(collection?.segments).toEqual(firsts);
    expect(collection?.countries).toEqual(starts);
    expect([...recordsOf(name).keys()]).toEqual(numbers);
  }
});

test("each chunk has the records of one pack of the primary copy, in its order", async () => {
  for (const name of names) {
    const firsts: Record<string, number> = {};
    const chunks = await dataset.nodes(name, "records");
    const rowsByChunk = chunks.map((): Row[] => []);
    const packs = chunks.map(() => new Set<string>());
    for (const [place, node] of chunks.entries()) {
      expect(node.chunk).toBe(place);
      firsts[node.country] ??= place;
      expect(node.blocks).toBeLessThanOrEqual(CHUNK_BLOCKS);
      expect(Math.ceil(node.bytes / BLOCK_BYTES)).toBe(node.blocks);
    }
    let last = -1;
    for (const node of await dataset.nodes(name, "location")) {
      const { chunk } = recordPositionOf(node.record);
      expect(chunks[chunk]?.country).toBe(node.country);
      packs[chunk]?.add(node.pack);
      for (const { address } of await dataset.points(name, node)) {
        expect(address).toBeGreaterThan(last);
        last = address;
        const { row = {} } = rowsOf(name).get(idOf(storedOf(name).get(address)?.record as StoredRecord)) ?? {};
        rowsByChunk[recordPositionOf(address).chunk]?.push(row);
      }
    }
    for (const [place, node] of chunks.entries()) {
      expect(rowsByChunk[place]?.length).toBe(node.rows);
      expect(node.bbox).toEqual(boxOf(rowsByChunk[place] ?? []));
      expect(packs[place]?.size).toBe(1);
    }
    expect(dataset.manifest.collections[name]?.chunks).toEqual(firsts);
  }
});

test("each slice of the primary copy is a file with the rows of its points, in one order", async () => {
  for (const name of names) {
    const seen = new Set<number>();
    const wrong: string[] = [];
    for (const node of await dataset.nodes(name, "location")) {
      const rows = await readParquetBytes(await dataset.slice(pathOfSlice(name, node), node));
      const points = await dataset.points(name, node);
      expect(points.length).toBe(rows.length);
      expect(node.rows).toBe(rows.length);
      expect(node.bbox).toEqual(boxOf(rows));
      for (const [index, { geometry, number, address }] of points.entries()) {
        const row = rows[index] ?? {};
        const record = recordsOf(name).get(number);
        if (storedOf(name).get(address) === undefined) wrong.push(String(row.id));
        else if (idOf(storedOf(name).get(address)?.record as StoredRecord) !== row.id) wrong.push(String(row.id));
        seen.add(number);
        if (!record || idOf(record.record) !== row.id || record.country !== node.country) wrong.push(String(row.id));
        else if (Buffer.compare(geometry, record.table ?? record.record.geometry) !== 0) wrong.push(String(row.id));
      }
    }
    expect(wrong.slice(0, 5), name).toEqual([]);
    expect(seen.size, name).toBe(rowsOf(name).size);
  }
});

test("DuckDB reads whole packs, with the rows and the statistics of their slices", async () => {
  const database = await openDatabase({ folder: await newFolder() });
  const slices = await dataset.nodes("segment", "location");
  const packs = new Map<string, number>();
  for (const node of slices) {
    const path = pathOfSlice("segment", node);
    packs.set(path, (packs.get(path) ?? 0) + node.rows);
  }
  expect(slices.length).toBeGreaterThan(packs.size);
  expect(packs.size).toBeGreaterThan(1);
  for (const [path, rows] of packs) {
    const file = quotePath(join(folder, path));
    const [totals] = await database.rows<{ rows: number; ids: number; least: string; read: string }>(`
      SELECT count(*) AS rows, count(DISTINCT id) AS ids, min(id) AS read,
        (SELECT min(stats_min_value) FROM parquet_metadata(${file}) WHERE path_in_schema = 'id') AS least
      FROM read_parquet(${file})`);
    expect(totals).toEqual({ rows, ids: rows, least: totals?.read, read: totals?.read });
    const [geo] = await database.rows<{ geo: string }>(
      `SELECT decode(value) AS geo FROM parquet_kv_metadata(${file}) WHERE decode(key) = 'geo'`,
    );
    const mine = slices.filter((node) => pathOfSlice("segment", node) === path);
    const column = JSON.parse(geo?.geo ?? "").columns.geometry as { bbox: BBox };
    expect(column.bbox).toEqual(bboxUnion(mine.map(({ bbox }) => bbox)));
  }
  database.close();
});

test("packs are named by their content, and only large slices make large packs", async () => {
  const paths = (await filesBelow(folder)).filter((path) => /\/[0-9a-f]{16}\.(pack|parquet)$/.test(path));
  for (const path of paths) {
    const content = await readFile(join(folder, path));
    expect(path).toContain(createHash("sha256").update(content).digest("hex").slice(0, 16));
    // The planner estimates pack sizes from a sample of rows, so they can exceed the limit.
    expect(content.length, path).toBeLessThan(3 * PACK_BYTES);
  }
  expect(paths.length).toBeGreaterThan(50);
});

describe("terms", () => {
  test("every term of every row has its number, and there are no other terms", async () => {
    for (const name of names) {
      const expected = new Map<string, Map<string, number[]>>();
      const add = (country: string, term: string, number: number): void => {
        const ofCountry = expected.get(country) ?? new Map<string, number[]>();
        expected.set(country, ofCountry);
        const numbers = ofCountry.get(term);
        if (numbers) numbers.push(number);
        else ofCountry.set(term, [number]);
      };
      for (const [number, { country, record }] of recordsOf(name)) {
        const terms = storedTerms(JSON.parse(Buffer.from(record.json).toString()) as TermColumns);
        for (const term of terms) {
          add(country, term, number);
          if (name.startsWith("division") && term.startsWith("name:")) add(ALL_COUNTRIES, term, number);
        }
        if (name === "division") for (const term of endTermsOf(terms)) add(ALL_COUNTRIES, term, number);
      }
      const found = await dataset.postings(name);
      expect([...found.keys()].sort(), name).toEqual([...expected.keys()].sort());
      for (const [country, terms] of found) {
        const mine = expected.get(country) ?? new Map<string, number[]>();
        const stored = [...terms].filter(([term]) => !term.startsWith("prefix:"));
        expect(stored.length, `${name} ${country}`).toBe(mine.size);
        const wrong = stored.filter(([term, numbers]) => String(mine.get(term)) !== String(numbers));
        expect(wrong.slice(0, 3), `${name} ${country}`).toEqual([]);
        for (const [term, numbers] of terms) {
          if (!term.startsWith("prefix:")) continue;
          const prefix = `name:${term.slice("prefix:".length)}`;
          const all = [...mine].filter(([name]) => name.startsWith(prefix)).flatMap(([, of]) => of);
          expect(numbers).toEqual([...new Set(all)].sort((a, b) => a - b));
        }
      }
    }
  });

  test("slices are in the order of terms", async () => {
    for (const name of names) {
      let before = { country: "", last_term: "" };
      for (const node of await dataset.nodes(name, "term")) {
        const isNext =
          node.country === before.country
            ? compareIds(before.last_term, node.first_term)
            : before.country < node.country
              ? -1
              : 1;
        expect(isNext === 0 ? node.start > 0 : isNext < 0, `${name} ${node.country} ${node.first_term}`).toBe(true);
        before = node;
      }
    }
  });
});

describe("tables", () => {
  test("the row of each id is found by the hash of its id", async () => {
    for (const name of names) {
      const found = new Map<number, number>();
      for (const { table } of await dataset.tables(name, "find", ["gap", "address"])) {
        let key = 0;
        for (const [row, gap] of (table.gap ?? []).entries()) {
          key += Number(gap);
          found.set(Number(table.address?.[row]), key);
        }
      }
      expect(found.size).toBe(storedOf(name).size);
      const wrong = Array.from(storedOf(name), ([address, { record }]) => {
        const hash = createHash("sha256").update(idOf(record)).digest("hex");
        return found.get(address) === Number.parseInt(hash.slice(0, 8), 16) ? [] : [idOf(record)];
      }).flat();
      expect(wrong.slice(0, 5), name).toEqual([]);
    }
  });

  test("categories and countries are counted", async () => {
    const counts = new Map<string, number>();
    for (const { country, row } of rowsOf("place").values()) {
      const category = (row.categories as { primary?: string } | null)?.primary;
      const keys = category ? [`${country} ${category}`, `${ALL_COUNTRIES} ${category}`] : [];
      for (const key of [...keys, `country ${country}`]) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const found = new Map<string, number>();
    for (const run of ["count_category", "count_country"] as const) {
      for (const { country, table } of await dataset.tables("place", run, ["value", "rows", "brands"])) {
        const prefix = run === "count_country" ? "country" : country;
        for (const [row, value] of (table.value ?? []).entries()) {
          found.set(`${prefix} ${value}`, Number(table.rows?.[row]));
        }
      }
    }
    expect(new Map([...found].sort())).toEqual(new Map([...counts].sort()));
  });

  test("brands are counted by item and name, most frequent first", async () => {
    const counts = new Map<string, number>();
    for (const { row } of rowsOf("place").values()) {
      const brand = row.brand as { wikidata?: string | null; names?: { primary?: string | null } | null } | null;
      const key = JSON.stringify([brand?.names?.primary ?? "", brand?.wikidata ?? null]);
      if (key !== '["",null]') counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const found: [string, number][] = [];
    for (const { country, table } of await dataset.tables("place", "count_brand", ["value", "rows", "brands"])) {
      if (country !== ALL_COUNTRIES) continue;
      for (const [row, value] of (table.value ?? []).entries()) {
        const brand = value as { wikidata?: string; names?: { primary?: string } };
        found.push([JSON.stringify([brand.names?.primary ?? "", brand.wikidata ?? null]), Number(table.rows?.[row])]);
      }
    }
    expect(new Map(found)).toEqual(counts);
    expect(found.map(([, rows]) => rows)).toEqual(found.map(([, rows]) => rows).toSorted((a, b) => b - a));
  });

  test("divisions are suggested for each word of their names", async () => {
    const expected = new Set<string>();
    for (const [id, { row }] of rowsOf("division")) {
      for (const { term } of row.names ? nameTerms(row.names as NonNullable<TermColumns["names"]>) : []) {
        expected.add(`name:${cutTerm(term)} ${id}`);
      }
    }
    const found = new Set<string>();
    const populous = new Map<string, number>();
    const columns = ["term", "id", "country", "names", "detail", "subtype", "population", "found", "point", "bbox"];
    for (const { table } of await dataset.tables("division", "suggest", columns)) {
      for (const [index, term] of (table.term ?? []).entries()) {
        const id = String(table.id?.[index]);
        if (String(term).startsWith("populous:")) populous.set(String(term), (populous.get(String(term)) ?? 0) + 1);
        else found.add(`${term} ${id}`);
        const { country, row } = rowsOf("division").get(id) ?? { country: "", row: {} };
        expect(table.country?.[index]).toBe(country);
        expect(table.point?.[index]).toEqual(representativePoint(row.geometry as Geometry));
      }
    }
    expect(found).toEqual(expected);
    expect(populous.size).toBeGreaterThan(10);
    expect([...populous.values()].filter((rows) => rows !== MOST_POPULOUS)).toEqual([]);
  });
});
