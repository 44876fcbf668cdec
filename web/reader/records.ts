/** Rows by the addresses of their records, and addresses by row numbers. @module */
import { firstNumberOf, ID_BLOCK_ROWS, openIdBlock, rowNumberOf, rowPositionOf } from "../../data/format/id-order.ts";
import { firstAddressOf, openGroup, readDictionary, recordPositionOf } from "../../data/format/records.ts";
import { readStoredGeometry } from "../../data/format/stored-geometry.ts";
import { fromUtf8 } from "../../data/format/utf8.ts";
import { CairnError, named } from "./error.ts";
import { type Collection, inPack, mayHoldCountry, nodesOf, numberedNodes } from "./index-tree.ts";
import type { Row } from "./types.ts";

/** A record to read. */
export interface RecordRef {
  readonly address: number;
  /** Blocks of its group, if known. */
  readonly blocks?: number;
}

/** Returns the rows of these records, in their order. */
export async function readRecords(collection: Collection, refs: readonly RecordRef[]): Promise<Row[]> {
  if (refs.length === 0) return [];
  const { files, about, name } = collection;
  const positions = refs.map(({ address }) => recordPositionOf(address));
  const nodes = await numberedNodes(collection, "records", new Set(positions.map(({ chunk }) => chunk)));
  const [dictionary] = await files.slices([inPack(collection, "dictionary", about.dictionary)], readDictionary);
  const wanted = positions.map(({ chunk, block }, index) => {
    const node = nodes.get(chunk);
    if (!node || block >= node.blocks) throw new CairnError(`${name} has no block ${block} in chunk ${chunk}`);
    return { ...inPack(collection, "records", node), block, blocks: refs[index]?.blocks };
  });
  const groups = await files.blocks(wanted, (bytes, block) => openGroup(bytes, block, dictionary as Uint8Array));
  return named(`the records of ${name}`, () =>
    groups.map((group, index) => {
      const { chunk, row } = positions[index] as (typeof positions)[number];
      const record = group[row];
      if (!record) throw new CairnError(`${name} has no record at ${refs[index]?.address}`);
      const columns = tidied(JSON.parse(fromUtf8(record.json))) as { readonly id: string };
      if (typeof columns?.id !== "string") throw new Error("a record has no id");
      return { ...columns, country: nodes.get(chunk)?.country ?? "", geometry: readStoredGeometry(record.geometry) };
    }),
  );
}

/**
 * The value without null members, and 0 for -0. Lists keep null items. A number that is too large is null. Objects and
 * lists are changed.
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

/** Returns the records of rows by their numbers, which are counted from the country's first and ascend. */
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

/** Returns the numbers of a country's rows from `start` to `end` in the order of ids, counted from the country's first. */
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
