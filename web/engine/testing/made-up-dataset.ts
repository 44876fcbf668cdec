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
import { blocksFor, sealBlock, sealLast } from "../../../data/format/blocks.ts";
import { type CollectionName, knownCollection } from "../../../data/format/collections.ts";
import { writeShort } from "../../../data/format/fine-point.ts";
import { FOLD_VERSION } from "../../../data/format/fold.ts";
import { encodeGeohash } from "../../../data/format/geohash.ts";
import { bboxOf, type Geometry, positionsOf } from "../../../data/format/geometry.ts";
import { firstNumberOf, MAX_SEGMENT_ROWS, numberInSegment, writeSegment } from "../../../data/format/id-order.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { spellKey } from "../../../data/format/lookup.ts";
import {
  ALL_COUNTRIES,
  type ChunkNode,
  FORMAT_VERSION,
  type IndexNode,
  isPage,
  type LocationNode,
  type Manifest,
  type ManifestRun,
  type SegmentNode,
  type Slice,
  type TermNode,
} from "../../../data/format/manifest.ts";
import { writeManifestFile } from "../../../data/format/manifest-file.ts";
import { locationPackPath, type PackKind, packNameOf, packPath } from "../../../data/format/paths.ts";
import { writePoints } from "../../../data/format/points.ts";
import { writePostings } from "../../../data/format/postings.ts";
import {
  addressGroups,
  firstAddressOf,
  type GroupSize,
  MAX_GROUP_ROWS,
  recordPositionOf,
  type StoredRecord,
  writeGroup,
} from "../../../data/format/records.ts";
import { writeTable } from "../../../data/format/tables.ts";
import { BY_ENDS, endTermsOf, storedTerms, type TermColumns, WORLDWIDE } from "../../../data/format/terms.ts";
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
  /** Of the ids; default: all of a country. */
  readonly rowsPerSegment?: number;
  /** Slices of the primary copy whose records are one chunk; default: all of a country. */
  readonly slicesPerChunk?: number;
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

/** Rows of a slice of the primary copy, with the groups of their records. */
interface PlacedSlice {
  readonly country: string;
  readonly rows: readonly StoredRow[];
  readonly groups: readonly GroupSize[];
  /** Address of its first record. */
  readonly record: number;
}

/** Returns the files of a dataset by path, including `manifest.json`; each slice is in its own pack. */
export async function makeDataset(
  collections: Readonly<Partial<Record<CollectionName, readonly MadeUpRow[]>>>,
  options: MadeUpOptions = {},
): Promise<Map<string, Uint8Array>> {
  const { release = "made-up", rowsPerPartition = 32, keepOrder = false, nodesPerPage } = options;
  const { rowsPerSegment = MAX_SEGMENT_ROWS, slicesPerChunk = Number.POSITIVE_INFINITY } = options;
  const { rowsPerGroup = 8, termsPerSlice = 64, withTerms = true } = options;
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

  /** Numbers the rows, which are in the order of ids. */
  function numberRows(rows: readonly MadeUpRow[], texts: Map<string, string>) {
    const stored: StoredRow[] = [];
    const segments: Record<string, number> = {};
    let segment = 0;
    for (const country of [...new Set(rows.map(countryOf))].sort()) {
      segments[country] = segment;
      const own = rows.filter((row) => countryOf(row) === country);
      for (const [index, row] of own.entries()) {
        const number = numberInSegment(segment + Math.floor(index / rowsPerSegment), index % rowsPerSegment);
        stored.push({ ...row, json: texts.get(row.id) ?? "", number });
      }
      segment += Math.ceil(own.length / rowsPerSegment);
    }
    return { stored, segments };
  }

  /** Writes the records of the collection, whose rows are in the order of the primary copy. */
  async function addRecords(collection: CollectionName, rows: readonly StoredRow[], countries: readonly string[]) {
    const nodes: ChunkNode[] = [];
    const slices: PlacedSlice[] = [];
    const addresses = new Map<string, number>();
    const chunks: Record<string, number> = {};
    let chunk = 0;
    for (const country of countries) {
      chunks[country] = chunk;
      const own = rows.filter((row) => countryOf(row) === country);
      const parts: Part[] = [];
      for (const [index, members] of inParts(own, rowsPerPartition).entries()) {
        const groups = inParts(members, rowsPerGroup).map((group) => ({
          members: group,
          content: writeGroup(group.map(recordOf), deflate, DICTIONARY),
        }));
        const sizes = groups.map(({ members: { length }, content }) => ({
          rows: length,
          blocks: blocksFor(content.length),
        }));
        if (index > 0 && index % slicesPerChunk === 0) chunk = recordPositionOf(next(parts, chunk)).chunk + 1;
        const places = [...addressGroups(next(parts, chunk), sizes)];
        slices.push({ country, rows: members, groups: sizes, record: places[0] ?? 0 });
        for (const [at, { members: group, content }] of groups.entries()) {
          const address = places[at] ?? 0;
          parts.push({ address, blocks: sizes[at]?.blocks ?? 0, content, rows: group });
          for (const [place, { id }] of group.entries()) addresses.set(id, address + place);
        }
      }
      for (const number of new Set(parts.map(({ address }) => recordPositionOf(address).chunk))) {
        const inChunk = parts.filter(({ address }) => recordPositionOf(address).chunk === number);
        const members = inChunk.flatMap((part) => part.rows);
        const sealed = await Promise.all(
          inChunk.map(({ content, address }, index) => {
            const seal = index === inChunk.length - 1 ? sealLast : sealBlock;
            return seal(content, recordPositionOf(address).block);
          }),
        );
        nodes.push({
          ...addSlice(collection, "records", new Uint8Array(Buffer.concat(sealed))),
          rows: members.length,
          bbox: bboxUnion(members.map(boxOf)),
          country,
          chunk: number,
          blocks: inChunk.reduce((sum, { blocks }) => sum + blocks, 0),
        });
      }
      chunk = recordPositionOf(parts.at(-1)?.address ?? 0).chunk + 1;
    }
    return { nodes, slices, addresses, chunks };
  }

  /** Writes the ids of rows, which are in the order of ids. */
  async function addIds(
    collection: CollectionName,
    rows: readonly StoredRow[],
    { addresses, chunks }: Pick<Awaited<ReturnType<typeof addRecords>>, "addresses" | "chunks">,
  ): Promise<ManifestRun> {
    const nodes: SegmentNode[] = [];
    for (const [country, chunk] of Object.entries(chunks)) {
      const own = rows.filter((row) => countryOf(row) === country);
      for (const [index, part] of inParts(own, rowsPerSegment).entries()) {
        const entries = part.map(({ id }) => ({ id, address: (addresses.get(id) ?? 0) - firstAddressOf(chunk) }));
        const { bytes, blocks } = await writeSegment(entries, deflate);
        nodes.push({
          ...addSlice(collection, "ids", bytes),
          rows: part.length,
          bbox: bboxUnion(part.map(boxOf)),
          country,
          first_id: part[0]?.id ?? "",
          last_id: part.at(-1)?.id ?? "",
          start: index * rowsPerSegment,
          segment: nodes.length,
          blocks,
        });
      }
    }
    return runOf(collection, nodes);
  }

  async function addPartition(
    collection: CollectionName,
    { country, rows, groups, record }: PlacedSlice,
    first: number,
  ): Promise<LocationNode> {
    const path = join(folder, "rows.parquet");
    const order = `[${rows.map(({ id }) => quote(id)).join(", ")}]`;
    const select = `SELECT * FROM rows WHERE id IN ${order} ORDER BY list_position(${order}, id)`;
    await connection.run(`COPY (${select}) TO '${path}'`);
    const bytes = new Uint8Array(await readFile(path));
    const sha256 = hashOf(bytes);
    const points = rows.map((row) => ({ geometry: recordOf(row).geometry, number: row.number - first }));
    const node: LocationNode = {
      sha256,
      bytes: bytes.length,
      pack: `-/${packNameOf(sha256)}`,
      offset: 0,
      rows: rows.length,
      bbox: bboxUnion(rows.map(boxOf)),
      country,
      geohash: "-",
      points: addSlice(collection, "points", await writePoints(points, { groups, record }, deflate)),
      record,
    };
    files.set(locationPackPath(collection, node), bytes);
    return node;
  }

  async function addLocations(
    collection: CollectionName,
    slices: readonly PlacedSlice[],
    segments: Readonly<Record<string, number>>,
  ): Promise<ManifestRun> {
    const nodes: LocationNode[] = [];
    for (const slice of slices)
      nodes.push(await addPartition(collection, slice, firstNumberOf(segments[slice.country] ?? 0)));
    return runOf(collection, nodes);
  }

  function addTerms(
    collection: CollectionName,
    rows: readonly StoredRow[],
    segments: Readonly<Record<string, number>>,
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
    for (const [country, segment] of Object.entries(segments)) {
      const first = firstNumberOf(segment);
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

  function addFind(collection: CollectionName, addresses: ReadonlyMap<string, number>): ManifestRun {
    const keyed = Array.from(addresses, ([id, address]) => ({
      address,
      key: Number.parseInt(hashOf(id).slice(0, 8), 16),
    }));
    keyed.sort((a, b) => a.key - b.key || a.address - b.address);
    const gap = keyed.map(({ key }, index) => key - (keyed[index - 1]?.key ?? 0));
    const table = { gap, address: keyed.map(({ address }) => address) };
    return runOf(collection, [
      {
        ...addSlice(collection, "find", writeTable(table, deflate)),
        rows: keyed.length,
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
      const { stored, segments } = numberRows(byId, texts);
      const countries = Object.keys(segments);
      const given = new Map(rows.map(({ id }, index) => [id, index]));
      const byPlace = stored.toSorted((a, b) =>
        keepOrder
          ? (given.get(a.id) ?? 0) - (given.get(b.id) ?? 0)
          : geohashOf(a) - geohashOf(b) || compareIds(a.id, b.id),
      );
      const records = await addRecords(collection, byPlace, countries);
      const term = withTerms ? addTerms(collection, stored, segments) : undefined;
      manifest[collection] = {
        rows: rows.length,
        bbox: bboxUnion(rows.map(boxOf)),
        countries: Object.fromEntries(
          countries.map((country) => [country, rows.filter((row) => countryOf(row) === country).length]),
        ),
        segments,
        chunks: records.chunks,
        dictionary: addSlice(collection, "dictionary", deflate(DICTIONARY)),
        ignored_columns: [],
        runs: {
          location: await addLocations(collection, records.slices, segments),
          records: runOf(collection, records.nodes),
          ids: await addIds(collection, stored, records),
          find: addFind(collection, records.addresses),
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

/** A group of records in its chunk. */
interface Part {
  readonly address: number;
  readonly blocks: number;
  readonly content: Uint8Array;
  readonly rows: readonly StoredRow[];
}

/** The address at which the next group can start, if the last part is of this chunk; otherwise that of the chunk. */
function next(parts: readonly Part[], chunk: number): number {
  const last = parts.at(-1);
  if (!last || recordPositionOf(last.address).chunk < chunk) return firstAddressOf(chunk);
  return last.address + last.blocks * MAX_GROUP_ROWS;
}

function inParts<T>(rows: readonly T[], size: number): T[][] {
  const count = Math.ceil(rows.length / size);
  return Array.from({ length: count }, (_, part) => rows.slice(part * size, (part + 1) * size));
}

function recordOf({ json, geometry }: StoredRow): StoredRecord {
  return { json: new TextEncoder().encode(json), geometry: writeShort(geometry) ?? writeWkb(geometry) };
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
  if ("segment" in node) return [node.country, end === "first" ? node.first_id : node.last_id];
  if ("chunk" in node) return [node.country, ""];
  if ("first_term" in node) return [node.country, end === "first" ? node.first_term : node.last_term];
  return undefined;
}

function hashOf(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
