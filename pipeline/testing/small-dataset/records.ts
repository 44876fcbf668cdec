/** Records and ids of the small dataset: groups, chunks, segments, row numbers. @module */
import { deflateRawSync } from "node:zlib";
import { blocksFor, sealBlock, sealLast } from "../../../data/format/blocks.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { writeShort } from "../../../data/format/fine-point.ts";
import { type IdEntry, numberInSegment, writeSegment } from "../../../data/format/id-order.ts";
import { compareIds } from "../../../data/format/ids.ts";
import {
  firstAddressOf,
  type GroupSize,
  MAX_GROUP_ROWS,
  recordAddressOf,
  type StoredRecord,
  writeGroup,
} from "../../../data/format/records.ts";
import { writeWkb } from "../../../data/format/write-wkb.ts";
import { type Change, changed } from "./change.ts";
import type { SmallRow } from "./features.ts";

export const deflate = (bytes: Uint8Array, dictionary?: Uint8Array): Uint8Array =>
  new Uint8Array(deflateRawSync(bytes, dictionary ? { dictionary } : {}));

/** Small, so that a country has several segments. */
export const SMALL_SEGMENT_ROWS = 10;

/** Stands for the record of a row that a change left without one. */
export const NO_RECORD = MAX_GROUP_ROWS - 1;

/** Slices whose records are one chunk: those of a pack. */
export const CHUNK_SLICES = 3;

/** Returns the stored bytes of a row's geometry. */
export function geometryBytes({ geometry }: SmallRow): Uint8Array {
  return writeShort(geometry) ?? writeWkb(geometry);
}

/** Returns the record of a row. */
export function storedRecord(row: SmallRow): StoredRecord {
  const json = JSON.stringify({ id: row.id, ...row.columns });
  return { json: new TextEncoder().encode(json), geometry: geometryBytes(row) };
}

export const keyOf = ({ country, id }: Pick<SmallRow, "country" | "id">): string => `${country} ${id}`;

/** Number of each row by country and id, counted from 0. */
type Numbers = ReadonlyMap<string, number>;

interface NumberedSegment {
  readonly country: string;
  readonly segment: number;
  /** In the order of ids. */
  readonly rows: readonly SmallRow[];
}

export interface NumberedRows {
  readonly segments: readonly NumberedSegment[];
  /** First segment of each country. */
  readonly firsts: Readonly<Record<string, number>>;
  readonly numbers: Numbers;
}

/** Numbers rows, which are sorted by country. */
export function numberRows(rows: ReadonlyMap<string, readonly SmallRow[]>, segmentRows: number): NumberedRows {
  const segments: NumberedSegment[] = [];
  const firsts: Record<string, number> = {};
  const numbers = new Map<string, number>();
  for (const [country, own] of rows) {
    firsts[country] = segments.length;
    const sorted = own.toSorted((a, b) => compareIds(a.id, b.id));
    for (let start = 0; start < sorted.length; start += segmentRows) {
      const part = sorted.slice(start, start + segmentRows);
      for (const [index, row] of part.entries()) numbers.set(keyOf(row), numberInSegment(segments.length, index));
      segments.push({ country, segment: segments.length, rows: part });
    }
  }
  return { segments, firsts, numbers };
}

export interface MadeSegment extends NumberedSegment {
  readonly blocks: number;
  readonly bytes: Uint8Array;
}

/** Writes the segments of the id run. */
export async function makeSegments(
  collection: CollectionName,
  { segments }: NumberedRows,
  { records, change }: { readonly records: MadeRecords; readonly change: Change },
): Promise<MadeSegment[]> {
  return Promise.all(
    segments.map(async (segment, index): Promise<MadeSegment> => {
      const { country, rows } = segment;
      const first = firstAddressOf(records.firsts[country] ?? 0);
      const addressOf = (row: SmallRow): number => records.addresses.get(keyOf(row)) ?? first + NO_RECORD;
      const entries = rows.map((row): IdEntry => ({ id: row.id, address: addressOf(row) - first }));
      const at = { collection, country, index };
      const made = await writeSegment(changed(change, "ids", entries, at), deflate);
      return { ...segment, blocks: made.blocks, bytes: changed(change, "segment", made.bytes, at) };
    }),
  );
}

interface MadeChunk {
  readonly country: string;
  readonly chunk: number;
  readonly blocks: number;
  readonly bytes: Uint8Array;
  readonly rows: readonly SmallRow[];
}

export interface MadeRecords {
  readonly chunks: readonly MadeChunk[];
  /** First chunk of each country. */
  readonly firsts: Readonly<Record<string, number>>;
  /** Groups of each primary slice, and the address of its first record, in order. */
  readonly slices: readonly { readonly groups: readonly GroupSize[]; readonly record: number }[];
  /** Address of each row's record by country and id. */
  readonly addresses: ReadonlyMap<string, number>;
}

/** Makes chunks of the rows of primary slices, by country and in order. */
export async function makeRecords(
  collection: CollectionName,
  cells: ReadonlyMap<string, readonly (readonly SmallRow[])[]>,
  { dictionary, change }: { readonly dictionary: Uint8Array; readonly change: Change },
): Promise<MadeRecords> {
  const chunks: MadeChunk[] = [];
  const firsts: Record<string, number> = {};
  const slices: { groups: GroupSize[]; record: number }[] = [];
  const addresses = new Map<string, number>();
  for (const [country, own] of cells) {
    firsts[country] = chunks.length;
    for (let start = 0; start < own.length; start += CHUNK_SLICES) {
      const chunk = chunks.length;
      const at = { collection, country, chunk };
      const parts: { readonly content: Uint8Array; readonly block: number }[] = [];
      let [block, index] = [0, 0];
      for (const rows of own.slice(start, start + CHUNK_SLICES)) {
        const fitted = fitGroups(rows, dictionary);
        const stored = fitted.map((group) => group.map(storedRecord));
        const groups = changed(change, "groups", stored, { ...at, index: slices.length });
        const sizes: GroupSize[] = [];
        const record = recordAddressOf({ chunk, block, row: 0 });
        for (const [number, group] of groups.entries()) {
          const content = changed(change, "content", writeGroup(group, deflate, dictionary), { ...at, index: index++ });
          parts.push({ content, block });
          for (const [index, row] of (fitted[number] ?? []).entries())
            addresses.set(keyOf(row), recordAddressOf({ chunk, block, row: index }));
          const blocks = blocksFor(content.length);
          sizes.push({ rows: group.length, blocks });
          block += blocks;
        }
        slices.push({ groups: sizes, record });
      }
      const last = parts.length - 1;
      const sealed = await Promise.all(
        parts.map((part, index) => (index === last ? sealLast : sealBlock)(part.content, part.block)),
      );
      const bytes = changed(change, "blocks", new Uint8Array(Buffer.concat(sealed)), { ...at, index: chunk });
      chunks.push({ country, chunk, blocks: block, bytes, rows: own.slice(start, start + CHUNK_SLICES).flat() });
    }
  }
  return { chunks, firsts, slices, addresses };
}

/** Groups with as many rows of a slice as fit a block. */
function fitGroups(rows: readonly SmallRow[], dictionary: Uint8Array): SmallRow[][] {
  const blocksOf = (group: readonly SmallRow[]): number =>
    blocksFor(writeGroup(group.map(storedRecord), deflate, dictionary).length);
  const groups: SmallRow[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last && last.length < MAX_GROUP_ROWS && blocksOf([...last, row]) === 1) last.push(row);
    else groups.push([row]);
  }
  return groups;
}
