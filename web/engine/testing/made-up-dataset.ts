/**
 * Small datasets of synthetic rows, as Parquet files in memory.
 * @module
 */
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import { type CollectionName, knownCollection } from "../../../data/format/collections.ts";
import { FOLD_VERSION } from "../../../data/format/fold.ts";
import { encodeGeohash } from "../../../data/format/geohash.ts";
import { bboxOf, type Geometry, positionsOf } from "../../../data/format/geometry.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { spellKey } from "../../../data/format/lookup.ts";
import {
  ALL_COUNTRIES,
  FORMAT_VERSION,
  type IndexNode,
  isPage,
  type LocationNode,
  type Manifest,
  type ManifestRun,
  type Slice,
  type StretchNode,
  type TermNode,
} from "../../../data/format/manifest.ts";
import { writeManifestFile } from "../../../data/format/manifest-file.ts";
import { locationPackPath, type PackKind, packNameOf, packPath } from "../../../data/format/paths.ts";
import { writePoints } from "../../../data/format/points.ts";
import { writePostings } from "../../../data/format/postings.ts";
import { BLOCK_BYTES, rowNumberOf, sealGroup, writeDirectory, writeGroup } from "../../../data/format/records.ts";
import { writeTable } from "../../../data/format/tables.ts";
import { BY_ENDS, endTermsOf, storedTerms, type TermColumns, WORLDWIDE } from "../../../data/format/terms.ts";
import { writeTwkb } from "../../../data/format/twkb.ts";
import { writeWkb } from "../../../data/format/write-wkb.ts";

/** A row to store. `values` are SQL expressions of other columns. */
export interface MadeUpRow {
  readonly id: string;
  readonly geometry: Geometry;
  readonly country?: string;
  readonly values?: Readonly<Record<string, string>>;
}

export interface MadeUpOptions {
  readonly release?: string;
  readonly rowsPerPartition?: number;
  /** Of a segment of the records; default: all of a country. */
  readonly rowsPerStretch?: number;
  readonly rowsPerGroup?: number;
  /** Whether the location run keeps the given order instead of sorting by geohash. */
  readonly keepOrder?: boolean;
  /** Nodes per page, and in the manifest; default: no pages. */
  readonly nodesPerPage?: number;
  readonly termsPerSlice?: number;
  readonly withTerms?: boolean;
}

/** Rows per statement: DuckDB plans small ones faster. */
const INSERT_ROWS = 100;

const deflate = (bytes: Uint8Array, dictionary?: Uint8Array): Uint8Array =>
  new Uint8Array(deflateRawSync(bytes, dictionary ? { dictionary } : {}));

const DICTIONARY = new TextEncoder().encode('{"id":"","version":1,"sources":[{"property":"","dataset":""}]}');

interface StoredRow extends MadeUpRow {
  readonly json: string;
  /** Counted over the whole collection. */
  readonly number: number;
}

/** Returns the files of a dataset by path, including `manifest.json`; each slice is in its own pack. */
export async function makeDataset(
  collections: Readonly<Partial<Record<CollectionName, readonly MadeUpRow[]>>>,
  options: MadeUpOptions = {},
): Promise<Map<string, Uint8Array>> {
  const { release = "made-up", rowsPerPartition = 32, keepOrder = false, nodesPerPage } = options;
  const { rowsPerStretch = Number.POSITIVE_INFINITY, rowsPerGroup = 8, termsPerSlice = 64, withTerms = true } = options;
  const files = new Map<string, Uint8Array>();
  const folder = await mkdtemp(join(tmpdir(), "cairn-"));
  const database = await DuckDBInstance.create();
  const connection = await database.connect();
  // more threads are slower for so few rows
  await connection.run("SET threads = 1");
  const manifest: Manifest["collections"] = {};

  function addSlice(collection: CollectionName, kind: PackKind, bytes: Uint8Array): Slice {
    const sha256 = hashOf(bytes);
    const pack = packNameOf(sha256);
    files.set(packPath(collection, kind, pack), bytes);
    return { sha256, bytes: bytes.length, pack, offset: 0 };
  }

  async function addRows(collection: CollectionName, rows: readonly MadeUpRow[]): Promise<Map<string, string>> {
    const columns = knownCollection(collection).columns.map(({ name, type }) => `"${name}" ${sqlTypeOf(type)}`);
    await connection.run(`CREATE OR REPLACE TABLE rows (${columns.join(", ")})`);
    const named = [...new Set(rows.flatMap((row) => Object.keys(columnsOf(row))))];
    const types = new Map(knownCollection(collection).columns.map(({ name, type }) => [name, sqlTypeOf(type)]));
    const names = named.map((name) => `"${name}"`).join(", ");
    for (let start = 0; start < rows.length; start += INSERT_ROWS) {
      const tuples = rows.slice(start, start + INSERT_ROWS).map((row) => {
        const own = columnsOf(row);
        return `(${named.map((name) => `(${own[name] ?? "NULL"})::${types.get(name)}`).join(", ")})`;
      });
      await connection.run(`INSERT INTO rows BY NAME SELECT * FROM (VALUES ${tuples.join(", ")}) t(${names})`);
    }
    const read = await connection.runAndReadAll(
      "SELECT id, CAST(to_json(r) AS VARCHAR) FROM (SELECT * EXCLUDE (geometry, bbox) FROM rows) r",
    );
    return new Map(read.getRows().map(([id, json]) => [String(id), String(json)]));
  }

  /** Writes the records of the collection, and returns its rows with their numbers. */
  async function addRecords(collection: CollectionName, rows: readonly MadeUpRow[], texts: Map<string, string>) {
    const nodes: StretchNode[] = [];
    const stored: StoredRow[] = [];
    const stretches: Record<string, number> = {};
    for (const country of [...new Set(rows.map(countryOf))].sort()) {
      stretches[country] = nodes.length;
      const own = rows.filter((row) => countryOf(row) === country);
      for (let start = 0; start < own.length; start += rowsPerStretch) {
        const part = own.slice(start, start + rowsPerStretch);
        const stretch = nodes.length;
        const directory = { blocks: [] as number[], rows: [] as number[], ids: [] as string[] };
        const groups: Uint8Array[] = [];
        let block = 0;
        for (let first = 0; first < part.length; first += rowsPerGroup) {
          const members = part.slice(first, first + rowsPerGroup);
          const records = members.map(({ id, geometry }) => ({
            json: new TextEncoder().encode(texts.get(id)),
            geometry: writeTwkb(geometry) ?? writeWkb(geometry),
          }));
          const group = await sealGroup(writeGroup(records, deflate, DICTIONARY), block);
          groups.push(group);
          directory.blocks.push(block);
          directory.rows.push(members.length);
          directory.ids.push(members[0]?.id ?? "");
          for (const [place, row] of members.entries()) {
            stored.push({ ...row, json: texts.get(row.id) ?? "", number: rowNumberOf({ stretch, block, place }) });
          }
          block += group.length / BLOCK_BYTES;
        }
        const bytes = Buffer.concat([...groups, await writeDirectory(directory, deflate)]);
        nodes.push({
          ...addSlice(collection, "records", new Uint8Array(bytes)),
          rows: part.length,
          bbox: bboxUnion(part.map(boxOf)),
          country,
          first_id: part[0]?.id ?? "",
          last_id: part.at(-1)?.id ?? "",
          start,
          stretch,
          blocks: block,
        });
      }
    }
    return { nodes, stored, stretches };
  }

  async function addPartition(collection: CollectionName, rows: readonly StoredRow[], first: number) {
    const path = join(folder, "rows.parquet");
    const order = `[${rows.map(({ id }) => quote(id)).join(", ")}]`;
    const select = `SELECT * FROM rows WHERE id IN ${order} ORDER BY list_position(${order}, id)`;
    await connection.run(`COPY (${select}) TO '${path}'`);
    const bytes = new Uint8Array(await readFile(path));
    const sha256 = hashOf(bytes);
    const points = rows.map(({ geometry, number }) => ({
      geometry: writeTwkb(geometry) ?? writeWkb(geometry),
      number: number - first,
    }));
    const node: LocationNode = {
      sha256,
      bytes: bytes.length,
      pack: `-/${packNameOf(sha256)}`,
      offset: 0,
      rows: rows.length,
      bbox: bboxUnion(rows.map(boxOf)),
      country: countryOf(rows[0]),
      geohash: "-",
      points: addSlice(collection, "points", writePoints(points, deflate)),
    };
    files.set(locationPackPath(collection, node), bytes);
    return node;
  }

  async function addLocations(
    collection: CollectionName,
    rows: readonly StoredRow[],
    stretches: Readonly<Record<string, number>>,
  ): Promise<ManifestRun> {
    const nodes: LocationNode[] = [];
    for (const [country, stretch] of Object.entries(stretches)) {
      const own = rows.filter((row) => countryOf(row) === country);
      const first = rowNumberOf({ stretch, block: 0, place: 0 });
      for (let start = 0; start < own.length; start += rowsPerPartition) {
        nodes.push(await addPartition(collection, own.slice(start, start + rowsPerPartition), first));
      }
    }
    return runOf(collection, nodes);
  }

  function addTerms(
    collection: CollectionName,
    rows: readonly StoredRow[],
    stretches: Readonly<Record<string, number>>,
  ): ManifestRun | undefined {
    const nodes: TermNode[] = [];
    const addCountry = (country: string, own: readonly StoredRow[], first: number, isWorldwide = false) => {
      const byTerm = new Map<string, number[]>();
      for (const { json, number } of own) {
        const all = storedTerms(JSON.parse(json) as TermColumns);
        const names = all.filter((term) => term.startsWith("name:"));
        const ends = BY_ENDS.has(collection) ? endTermsOf(names) : [];
        for (const term of isWorldwide ? [...names, ...ends] : all) {
          byTerm.set(term, [...(byTerm.get(term) ?? []), number - first]);
        }
      }
      const terms = [...byTerm.keys()].sort(compareIds);
      for (let start = 0; start < terms.length; start += termsPerSlice) {
        const part = terms.slice(start, start + termsPerSlice);
        const postings = part.map((term) => ({
          term,
          numbers: (byTerm.get(term) ?? []).sort((a, b) => a - b),
        }));
        nodes.push({
          ...addSlice(collection, "term", writePostings(postings, deflate)),
          rows: postings.reduce((sum, { numbers }) => sum + numbers.length, 0),
          bbox: bboxUnion(own.map(boxOf)),
          country,
          first_term: part[0] ?? "",
          last_term: part.at(-1) ?? "",
          start: 0,
        });
      }
    };
    for (const [country, stretch] of Object.entries(stretches)) {
      const first = rowNumberOf({ stretch, block: 0, place: 0 });
      addCountry(
        country,
        rows.filter((row) => countryOf(row) === country),
        first,
      );
    }
    if (WORLDWIDE.has(collection)) addCountry(ALL_COUNTRIES, rows, 0, true);
    nodes.sort((a, b) => (a.country < b.country ? -1 : a.country > b.country ? 1 : 0));
    return nodes.length > 0 ? runOf(collection, nodes) : undefined;
  }

  function addFind(collection: CollectionName, rows: readonly StoredRow[]): ManifestRun {
    const keyed = rows.map(({ id, number }) => ({ number, key: Number.parseInt(hashOf(id).slice(0, 8), 16) }));
    keyed.sort((a, b) => a.key - b.key || a.number - b.number);
    const gap = keyed.map(({ key }, index) => key - (keyed[index - 1]?.key ?? 0));
    const table = { gap, number: keyed.map(({ number }) => number) };
    return runOf(collection, [
      {
        ...addSlice(collection, "find", writeTable(table, deflate)),
        rows: rows.length,
        bbox: [-180, -90, 180, 90],
        country: ALL_COUNTRIES,
        first_term: spellKey(keyed[0]?.key ?? 0),
        last_term: spellKey(keyed.at(-1)?.key ?? 0),
        start: 0,
      },
    ]);
  }

  function runOf(collection: CollectionName, nodes: readonly IndexNode[]): ManifestRun {
    const bytes = nodes.reduce((sum, node) => sum + node.bytes, 0);
    return {
      partitions: nodes.length,
      bytes,
      nodes: nodesPerPage ? addPages(collection, nodes, nodesPerPage) : [...nodes],
    };
  }

  function addPages(collection: CollectionName, nodes: readonly IndexNode[], size: number): IndexNode[] {
    if (nodes.length <= size) return [...nodes];
    const pages = Array.from({ length: Math.ceil(nodes.length / size) }, (_, index) => {
      const children = nodes.slice(index * size, (index + 1) * size);
      const first = keyOf(children[0], "first");
      const last = keyOf(children.at(-1), "last");
      return {
        ...addSlice(collection, "pages", deflate(new TextEncoder().encode(JSON.stringify(children)))),
        rows: children.reduce((sum, node) => sum + node.rows, 0),
        bbox: bboxUnion(children.map(({ bbox }) => bbox)),
        partitions: children.reduce((sum, node) => sum + (isPage(node) ? node.partitions : 1), 0),
        ...(first && last ? { first, last } : {}),
      };
    });
    return addPages(collection, pages, size);
  }

  try {
    for (const [name, rows = []] of Object.entries(collections)) {
      const collection = name as CollectionName;
      const texts = await addRows(collection, rows);
      const byId = rows.toSorted((a, b) => compareIds(a.id, b.id));
      const { nodes, stored, stretches } = await addRecords(collection, byId, texts);
      const given = new Map(rows.map(({ id }, index) => [id, index]));
      const byPlace = stored.toSorted((a, b) =>
        keepOrder
          ? (given.get(a.id) ?? 0) - (given.get(b.id) ?? 0)
          : geohashOf(a) - geohashOf(b) || compareIds(a.id, b.id),
      );
      const term = withTerms ? addTerms(collection, stored, stretches) : undefined;
      manifest[collection] = {
        rows: rows.length,
        bbox: bboxUnion(rows.map(boxOf)),
        countries: Object.fromEntries(
          Object.keys(stretches).map((country) => [country, rows.filter((row) => countryOf(row) === country).length]),
        ),
        stretches,
        dictionary: addSlice(collection, "dictionary", deflate(DICTIONARY)),
        ignored_columns: [],
        runs: {
          location: await addLocations(collection, byPlace, stretches),
          records: runOf(collection, nodes),
          find: addFind(collection, stored),
          ...(term ? { term } : {}),
        },
      };
    }
  } finally {
    connection.closeSync();
    database.closeSync();
    await rm(folder, { recursive: true });
  }
  const whole = await writeManifestFile({
    format: "cairn",
    format_version: FORMAT_VERSION,
    release,
    fold_version: FOLD_VERSION,
    attribution: [],
    rejects: { rows: 0, bytes: 0, sha256: hashOf(new Uint8Array()), reasons: {} },
    collections: manifest,
  });
  files.set("manifest.json", whole);
  return files;
}

function columnsOf({ id, geometry, values = {} }: MadeUpRow): Readonly<Record<string, string>> {
  const [west, south, east, north] = bboxOf(geometry) ?? [0, 0, 0, 0];
  return {
    id: quote(id),
    geometry: blobOf(writeWkb(geometry)),
    bbox: `{xmin: ${west}::DOUBLE, xmax: ${east}::DOUBLE, ymin: ${south}::DOUBLE, ymax: ${north}::DOUBLE}`,
    version: "1",
    ...values,
  };
}

function sqlTypeOf(type: string): string {
  return type === "GEOMETRY" ? "BLOB" : type;
}

function blobOf(bytes: Uint8Array): string {
  return `unhex('${Buffer.from(bytes).toString("hex")}')`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function countryOf(row: MadeUpRow | undefined): string {
  return row?.country ?? "ZZ";
}

function boxOf({ geometry }: MadeUpRow): BBox {
  return bboxOf(geometry) ?? [0, 0, 0, 0];
}

function geohashOf({ geometry }: MadeUpRow): number {
  const [position] = positionsOf(geometry);
  return encodeGeohash(position?.[0] ?? 0, position?.[1] ?? 0);
}

function keyOf(node: IndexNode | undefined, end: "first" | "last"): [string, string] | undefined {
  if (!node) return undefined;
  if (isPage(node)) return node[end];
  if ("stretch" in node) return [node.country, end === "first" ? node.first_id : node.last_id];
  if ("first_term" in node) return [node.country, end === "first" ? node.first_term : node.last_term];
  return undefined;
}

function hashOf(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
