/** Rows by the addresses of their records, and addresses by row numbers. @module */
import { BLOCK_BYTES } from "../../data/format/blocks.ts";
import type { PathSource } from "../../data/format/distance.ts";
import { GEOMETRY_CODES, type Geometry, type Position } from "../../data/format/geometry.ts";
import {
  isPartTable,
  isPolygonal,
  joinPaths,
  type PartTable,
  readPartTable,
} from "../../data/format/geometry-parts.ts";
import { firstNumberOf, ID_BLOCK_ROWS, openIdBlock, rowNumberOf, rowPositionOf } from "../../data/format/id-order.ts";
import {
  firstAddressOf,
  openGroup,
  type RecordPosition,
  readDictionary,
  recordPositionOf,
  type StoredRecord,
} from "../../data/format/records.ts";
import { readStoredGeometry } from "../../data/format/stored-geometry.ts";
import { TWKB_SCALE } from "../../data/format/twkb.ts";
import { fromUtf8 } from "../../data/format/utf8.ts";
import { CairnError, named } from "./error.ts";
import { type Collection, inPack, mayHoldCountry, nodesOf, numberedNodes } from "./index-tree.ts";
import type { Row } from "./types.ts";

/** A record to read. */
export interface RecordRef {
  /** Where the record is: chunk, block and row in one number. */
  readonly address: number;
  /** Number of blocks of the record's group, without the parts of a long geometry, if known. */
  readonly blocks?: number;
}

/** Where a group of records, or a part of a long geometry, starts: a block of a chunk. `blocks` is its length, if known. */
export interface GroupRef {
  readonly chunk: number;
  readonly block: number;
  readonly blocks?: number | undefined;
}

interface Group {
  readonly chunk: number;
  /** Number of blocks, without the parts of a long geometry. */
  readonly blocks: number;
  readonly country: string;
  readonly records: readonly StoredRecord[];
}

async function readGroups(collection: Collection, refs: readonly GroupRef[]): Promise<Group[]> {
  if (refs.length === 0) return [];
  const { files, about, name } = collection;
  const nodes = await numberedNodes(collection, "records", new Set(refs.map(({ chunk }) => chunk)));
  const [dictionary] = await files.slices([inPack(collection, "dictionary", about.dictionary)], readDictionary);
  const wanted = refs.map(({ chunk, block, blocks }) => {
    const node = nodes.get(chunk);
    if (!node || block >= node.blocks) throw new CairnError(`${name} has no block ${block} in chunk ${chunk}`);
    return { ...inPack(collection, "records", node), block, blocks };
  });
  const groups = await files.blocks(wanted, async (bytes, block) => ({
    blocks: Math.ceil(bytes.length / BLOCK_BYTES),
    records: await openGroup(bytes, block, dictionary as Uint8Array),
  }));
  return groups.map((group, index) => {
    const chunk = refs[index]?.chunk ?? 0;
    return { ...group, chunk, country: nodes.get(chunk)?.country ?? "" };
  });
}

/** Returns the rows of these records, in the order of `refs`. Throws `CairnError` if a record does not exist or is damaged. */
export async function readRecords(collection: Collection, refs: readonly RecordRef[]): Promise<Row[]> {
  const { name } = collection;
  const positions = refs.map(({ address }) => recordPositionOf(address));
  const groups = await readGroups(
    collection,
    positions.map(({ chunk, block }, index) => ({ chunk, block, blocks: refs[index]?.blocks })),
  );
  return Promise.all(
    groups.map(async ({ chunk, blocks, country, records }, index) => {
      const { block, row } = positions[index] as RecordPosition;
      const record = records[row];
      if (!record) throw new CairnError(`${name} has no record at ${refs[index]?.address}`);
      const geometry = await wholeGeometry(collection, record.geometry, { chunk, block: block + blocks });
      return named(`the records of ${name}`, () => {
        const columns = tidied(JSON.parse(fromUtf8(record.json))) as { readonly id: string };
        if (typeof columns?.id !== "string") throw new Error("a record has no id");
        return { ...columns, country, geometry };
      });
    }),
  );
}

/** Returns a stored geometry with all its parts, positions as `[lon, lat]` in degrees. `first` is the place of the first part. */
export async function wholeGeometry(collection: Collection, stored: Uint8Array, first: GroupRef): Promise<Geometry> {
  if (!isPartTable(stored)) return readStoredGeometry(stored);
  const { kind, paths } = await readLong(collection, stored, first, ({ parts }) => [...parts.keys()]);
  const members: Position[][][] = [];
  paths((path, degrees, count) => {
    if (path !== "inner") members.push([]);
    members.at(-1)?.push(Array.from({ length: count }, (_, i) => [...degrees.subarray(2 * i, 2 * i + 2)] as never));
  });
  const type = Object.keys(GEOMETRY_CODES)[kind - 1] as "Polygon";
  const coordinates = isPolygonal(kind) ? members : members.flat();
  return { type, coordinates: (type.startsWith("Multi") ? coordinates : coordinates[0]) as Position[][] };
}

interface LongGeometry {
  readonly kind: number;
  readonly paths: PathSource;
}

/**
 * Reads some parts of a long geometry, which is stored as a table of its parts. `choose` returns the indexes of the wanted parts.
 * `{ chunk, block }` is the place of the first part. `paths` gives positions as lon, lat in degrees.
 */
export async function readLong(
  collection: Collection,
  stored: Uint8Array,
  { chunk, block }: GroupRef,
  choose: (table: PartTable) => readonly number[],
): Promise<LongGeometry> {
  const table = readPartTable(stored);
  const { kind } = table;
  const chosen = choose(table);
  const groups = await readGroups(
    collection,
    chosen.map((part) => ({ chunk, block: block + part })),
  );
  const paths = joinPaths(table, (part) => groups[chosen.indexOf(part)]?.records[0]?.geometry);
  return {
    kind,
    paths(take) {
      for (const { startsMember, vertices } of paths) {
        const path = startsMember ? "outer" : "inner";
        const degrees = Float64Array.from(vertices, (units) => units / TWKB_SCALE);
        take(isPolygonal(kind) ? path : "line", degrees, degrees.length / 2);
      }
    },
  };
}

/**
 * Removes null members of objects, and writes 0 for -0 and null for a number that is too large. Lists keep null items. Changes
 * and returns the value itself.
 */
function tidied(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const name in members) {
    const member = members[name];
    const isAbsent = member === null || member === Number.POSITIVE_INFINITY || member === Number.NEGATIVE_INFINITY;
    if (member === 0) members[name] = 0;
    else if (!isAbsent) tidied(member);
    else if (Array.isArray(value)) members[name] = null;
    else delete members[name];
  }
  return value;
}

/**
 * Returns the addresses of the records of a country's rows, in the order of `numbers`. Row numbers count from the first of the
 * country. Throws `CairnError` for a number without a row.
 */
export async function recordsOf(
  collection: Collection,
  country: string,
  numbers: ArrayLike<number>,
): Promise<RecordRef[]> {
  const { about, name } = collection;
  const base = firstNumberOf(about.segments[country] ?? 0);
  const first = firstAddressOf(about.chunks[country] ?? 0);
  const positions = Array.from(numbers, (number) => rowPositionOf(base + number));
  const nodes = await numberedNodes(collection, "ids", new Set(positions.map(({ segment }) => segment)));
  const wanted = positions.map(({ segment, block }) => {
    const node = nodes.get(segment);
    if (!node || node.country !== country || block >= node.blocks)
      throw new CairnError(`${name} has no block ${block} in segment ${segment} of ids of ${country}`);
    return { ...inPack(collection, "ids", node), block, blocks: 1 };
  });
  const blocks = await collection.files.blocks(wanted, openIdBlock);
  return blocks.map((block, index) => {
    const { row = 0 } = positions[index] ?? {};
    if (row >= block.rows) throw new CairnError(`${name} has no row number ${numbers[index]} in ${country}`);
    return { address: first + block.address(row) };
  });
}

/**
 * Returns the numbers of a country's rows from rank `start` to `end` (exclusive) in the order of ids. Row numbers count from the
 * first of the country, and have gaps; ranks have none.
 */
export async function numbersOfRanks(
  collection: Collection,
  country: string,
  start: number,
  end: number,
): Promise<number[]> {
  const base = collection.about.segments[country] ?? 0;
  const numbers: number[] = [];
  for (const node of await nodesOf(collection, "ids", (each) => mayHoldCountry(each, country))) {
    for (let row = Math.max(0, start - node.start); row < Math.min(node.rows, end - node.start); row++) {
      const position = { block: Math.floor(row / ID_BLOCK_ROWS), row: row % ID_BLOCK_ROWS };
      numbers.push(rowNumberOf({ segment: node.segment - base, ...position }));
    }
  }
  return numbers;
}
