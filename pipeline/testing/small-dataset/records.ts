/** Records of the small dataset: groups, segments, row numbers. @module */
import { deflateRawSync } from "node:zlib";
import type { CollectionName } from "../../../data/format/collections.ts";
import { compareIds } from "../../../data/format/ids.ts";
import {
  BLOCK_BYTES,
  blocksFor,
  type Directory,
  MAX_GROUP_ROWS,
  rowNumberOf,
  type StoredRecord,
  sealGroup,
  writeDirectory,
  writeGroup,
} from "../../../data/format/records.ts";
import { writeTwkb } from "../../../data/format/twkb.ts";
import { writeWkb } from "../../../data/format/write-wkb.ts";
import { type Change, changed } from "./change.ts";
import type { SmallRow } from "./features.ts";

export const deflate = (bytes: Uint8Array, dictionary?: Uint8Array): Uint8Array =>
  new Uint8Array(deflateRawSync(bytes, dictionary ? { dictionary } : {}));

/** Small, so that a country has several segments. */
const BLOCKS = 4;

/** Returns the stored bytes of a row's geometry. */
export function geometryBytes({ geometry }: SmallRow): Uint8Array {
  return writeTwkb(geometry) ?? writeWkb(geometry);
}

/** Returns the record of a row. */
export function storedRecord(row: SmallRow): StoredRecord {
  const json = JSON.stringify({ id: row.id, ...row.columns });
  return { json: new TextEncoder().encode(json), geometry: geometryBytes(row) };
}

export interface MadeStretch {
  readonly country: string;
  readonly stretch: number;
  readonly blocks: number;
  readonly bytes: Uint8Array;
  readonly rows: readonly SmallRow[];
}

export interface MadeRecords {
  readonly stretches: readonly MadeStretch[];
  /** First segment of each country. */
  readonly firsts: Readonly<Record<string, number>>;
  /** Number of each row by country and id, counted from 0. */
  readonly numbers: ReadonlyMap<string, number>;
}

export const keyOf = ({ country, id }: Pick<SmallRow, "country" | "id">): string => `${country} ${id}`;

/** Makes segments of rows, which are sorted by country. */
export async function makeRecords(
  collection: CollectionName,
  rows: ReadonlyMap<string, readonly SmallRow[]>,
  { dictionary, change }: { readonly dictionary: Uint8Array; readonly change: Change },
): Promise<MadeRecords> {
  const stretches: MadeStretch[] = [];
  const firsts: Record<string, number> = {};
  const numbers = new Map<string, number>();
  for (const [country, own] of rows) {
    firsts[country] = stretches.length;
    const sorted = own.toSorted((a, b) => compareIds(a.id, b.id));
    for (const groups of cutStretches(sorted, dictionary)) {
      const at = { collection, country, index: stretches.length };
      const stored = changed(
        change,
        "groups",
        groups.map((group) => group.map(storedRecord)),
        at,
      );
      const made = await sealStretch(stored, { dictionary, change, at });
      const ids = made.directory.blocks;
      for (const [group, members] of groups.entries()) {
        for (const [place, row] of members.entries()) {
          numbers.set(keyOf(row), rowNumberOf({ stretch: stretches.length, block: ids[group] ?? 0, place }));
        }
      }
      stretches.push({
        country,
        stretch: stretches.length,
        blocks: made.blocks,
        bytes: made.bytes,
        rows: groups.flat(),
      });
    }
  }
  return { stretches, firsts, numbers };
}

/** Groups with as many rows as fit a block, in segments of a few blocks. */
function cutStretches(rows: readonly SmallRow[], dictionary: Uint8Array): SmallRow[][][] {
  const blocksOf = (group: readonly SmallRow[]): number =>
    blocksFor(writeGroup(group.map(storedRecord), deflate, dictionary).length);
  const groups: SmallRow[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last && last.length < MAX_GROUP_ROWS && blocksOf([...last, row]) === 1) last.push(row);
    else groups.push([row]);
  }
  const stretches: { groups: SmallRow[][]; blocks: number }[] = [];
  for (const group of groups) {
    const [last, blocks] = [stretches.at(-1), blocksOf(group)];
    if (last && last.blocks + blocks <= BLOCKS) {
      last.groups.push(group);
      last.blocks += blocks;
    } else stretches.push({ groups: [group], blocks });
  }
  return stretches.map(({ groups: own }) => own);
}

interface Sealing {
  readonly dictionary: Uint8Array;
  readonly change: Change;
  readonly at: { readonly collection: CollectionName; readonly country: string; readonly index: number };
}

async function sealStretch(
  groups: readonly (readonly StoredRecord[])[],
  { dictionary, change, at }: Sealing,
): Promise<{ bytes: Uint8Array; blocks: number; directory: Directory }> {
  const parts: Uint8Array[] = [];
  const directory: { blocks: number[]; rows: number[]; ids: string[] } = { blocks: [], rows: [], ids: [] };
  let block = 0;
  for (const [index, group] of groups.entries()) {
    const content = changed(change, "content", writeGroup(group, deflate, dictionary), {
      ...at,
      index,
      stretch: at.index,
    });
    const sealed = await sealGroup(content, block);
    parts.push(sealed);
    directory.blocks.push(block);
    directory.rows.push(group.length);
    directory.ids.push(idOf(group[0]));
    block += sealed.length / BLOCK_BYTES;
  }
  const blocks = changed(change, "blocks", new Uint8Array(Buffer.concat(parts)), at);
  const told = changed(change, "directory", directory, at);
  const bytes = new Uint8Array(Buffer.concat([blocks, await writeDirectory(told, deflate)]));
  return { bytes, blocks: blocks.length / BLOCK_BYTES, directory };
}

function idOf(record: StoredRecord | undefined): string {
  return /"id":"([^"]*)"/.exec(new TextDecoder().decode(record?.json))?.[1] ?? "";
}
