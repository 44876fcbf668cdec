/**
 * Reads a dataset in the simplest way: every slice of every run, completely, with its hash checked.
 * @module
 */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { BLOCK_BYTES, blockBytesOf } from "../../data/format/blocks.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { isPartTable, readPartTable } from "../../data/format/geometry-parts.ts";
import { firstNumberOf, openIdBlock, readSegmentDirectory, rowNumberOf } from "../../data/format/id-order.ts";
import { joinParts } from "../../data/format/joined-parts.ts";
import {
  ALL_COUNTRIES,
  type AnyRunName,
  type IndexNode,
  isPage,
  type LocationNode,
  type Manifest,
  type ManifestCollection,
  type NodesOf,
  type Slice,
} from "../../data/format/manifest.ts";
import { parseManifest, readPage } from "../../data/format/manifest-schema.ts";
import { locationPackPath, packPath } from "../../data/format/paths.ts";
import { readPoints } from "../../data/format/points.ts";
import { readPostings } from "../../data/format/postings.ts";
import {
  firstAddressOf,
  openGroup,
  readDictionary,
  recordAddressOf,
  type StoredRecord,
} from "../../data/format/records.ts";
import { STORED_SUGGEST_COLUMNS, unpackSuggestions } from "../../data/format/suggest-table.ts";
import { readTable, type Table } from "../../data/format/tables.ts";

export interface AddressedRecord {
  readonly country: string;
  /** With the whole geometry. */
  readonly record: StoredRecord;
  /** The geometry as stored, if it is a table of parts. */
  readonly table?: Uint8Array;
}

interface NumberedId {
  readonly country: string;
  /** Address of the row's record, counted from 0. */
  readonly address: number;
  /** The first bytes of the id. */
  readonly key: Uint8Array;
}

export interface DatasetReader {
  readonly manifest: Manifest;
  /** The nodes of a run below its pages, in order. */
  readonly nodes: <Run extends AnyRunName>(collection: CollectionName, run: Run) => Promise<NodesOf[Run][]>;
  /** Reads the bytes of a slice. Throws if they do not match the index. */
  readonly slice: (path: string, slice: Slice) => Promise<Uint8Array>;
  /** Records by address, counted from 0, in order. */
  readonly records: (collection: CollectionName) => Promise<Map<number, AddressedRecord>>;
  /** Entries of ids by number, counted from 0, in order. */
  readonly ids: (collection: CollectionName) => Promise<Map<number, NumberedId>>;
  /** Records by number, counted from 0, in order. */
  readonly numbered: (collection: CollectionName) => Promise<Map<number, AddressedRecord>>;
  /** Geometries, numbers and addresses, counted from 0, of the rows of a primary slice. */
  readonly points: (
    collection: CollectionName,
    node: LocationNode,
  ) => Promise<{ readonly geometry: Uint8Array; readonly number: number; readonly address: number }[]>;
  /** Row numbers, counted from 0, by country and term. */
  readonly postings: (collection: CollectionName) => Promise<Map<string, Map<string, number[]>>>;
  /** The tables of a run in order, with their countries. */
  readonly tables: (
    collection: CollectionName,
    run: Exclude<AnyRunName, "location" | "records" | "ids" | "term" | "table">,
    columns: readonly string[],
  ) => Promise<{ readonly country: string; readonly table: Table }[]>;
}

/** Opens a dataset for tests. */
export async function readDataset(folder: string): Promise<DatasetReader> {
  const manifest = parseManifest(JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")));
  const files = new Map<string, Promise<Buffer>>();

  const slice: DatasetReader["slice"] = async (path, { sha256, bytes, offset }) => {
    const file = files.get(path) ?? readFile(join(folder, path));
    files.set(path, file);
    const content = (await file).subarray(offset, offset + bytes);
    const hash = createHash("sha256").update(content).digest("hex");
    if (hash !== sha256) throw new Error(`${path} at ${offset}: SHA-256 is ${hash}, expected ${sha256}`);
    return new Uint8Array(content);
  };

  const collectionOf = (name: CollectionName): ManifestCollection => {
    const collection = manifest.collections[name];
    if (!collection) throw new Error(`the dataset has no ${name}`);
    return collection;
  };

  const below = async (name: CollectionName, nodes: readonly IndexNode[]): Promise<IndexNode[]> => {
    const found: IndexNode[] = [];
    for (const node of nodes) {
      if (!isPage(node)) found.push(node);
      else {
        const page = readPage(await slice(packPath(name, "pages", node.pack), node));
        found.push(...(await below(name, page.nodes)));
      }
    }
    return found;
  };

  const nodes = async <Run extends AnyRunName>(name: CollectionName, run: Run): Promise<NodesOf[Run][]> =>
    (await below(name, collectionOf(name).runs[run]?.nodes ?? [])) as NodesOf[Run][];

  const firstOf = (name: CollectionName, country: string): number =>
    country === ALL_COUNTRIES ? 0 : firstNumberOf(collectionOf(name).segments[country] ?? Number.NaN);

  const records: DatasetReader["records"] = async (name) => {
    const { dictionary } = collectionOf(name);
    const compressed = await slice(packPath(name, "dictionary", dictionary.pack), dictionary);
    const words = readDictionary(compressed);
    const found = new Map<number, AddressedRecord>();
    for (const { country, chunk, blocks, rows, ...range } of await nodes(name, "records")) {
      const bytes = await slice(packPath(name, "records", range.pack), range);
      const before = found.size;
      let block = 0;
      while (block * BLOCK_BYTES < bytes.length) {
        const start = block * BLOCK_BYTES;
        const size = blockBytesOf(bytes.subarray(start, start + BLOCK_BYTES));
        const group = await openGroup(bytes.subarray(start, start + size), block, words);
        const next = block + size / BLOCK_BYTES;
        const [first] = group;
        if (first && isPartTable(first.geometry)) {
          const table = readPartTable(first.geometry);
          const parts = await Promise.all(
            table.parts.map(async (_, part) => {
              const from = (next + part) * BLOCK_BYTES;
              const [stored] = await openGroup(bytes.subarray(from, from + BLOCK_BYTES), next + part, words);
              return stored?.geometry;
            }),
          );
          const record = { ...first, geometry: joinParts(table, (part) => parts[part]) };
          found.set(recordAddressOf({ chunk, block, row: 0 }), { country, record, table: first.geometry });
          block = next + table.parts.length;
          continue;
        }
        for (const [at, record] of group.entries())
          found.set(recordAddressOf({ chunk, block, row: at }), { country, record });
        block = next;
      }
      if (block !== blocks) throw new Error(`${name}: chunk ${chunk} has ${block} blocks, expected ${blocks}`);
      const counted = found.size - before;
      if (counted !== rows) throw new Error(`${name}: chunk ${chunk} has ${counted} rows, expected ${rows}`);
    }
    return found;
  };

  const ids: DatasetReader["ids"] = async (name) => {
    const found = new Map<number, NumberedId>();
    for (const { country, segment, blocks, rows, ...range } of await nodes(name, "ids")) {
      const bytes = await slice(packPath(name, "ids", range.pack), range);
      const first = firstAddressOf(collectionOf(name).chunks[country] ?? Number.NaN);
      const directory = blocks > 1 ? await readSegmentDirectory(bytes.subarray(blocks * BLOCK_BYTES)) : undefined;
      if (directory && (directory.rows !== rows || directory.ids.length !== blocks))
        throw new Error(`${name}: segment ${segment} has ${directory.rows} rows, expected ${rows}`);
      for (let block = 0; block < blocks; block++) {
        const entries = await openIdBlock(bytes.subarray(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES), block);
        for (let at = 0; at < entries.rows; at++)
          found.set(rowNumberOf({ segment, block, row: at }), {
            country,
            address: first + entries.address(at),
            key: entries.key(at),
          });
      }
    }
    return found;
  };

  return {
    manifest,
    nodes,
    slice,
    records,
    ids,
    numbered: async (name) => {
      const stored = await records(name);
      const found = new Map<number, AddressedRecord>();
      for (const [number, { address, key }] of await ids(name)) {
        const record = stored.get(address);
        if (!record) throw new Error(`${name}: row ${number} has no record at ${address}`);
        const id = Buffer.from(idOf(record.record));
        const prefix = Buffer.concat([id, Buffer.alloc(key.length)]).subarray(0, key.length);
        if (!prefix.equals(key)) throw new Error(`${name}: row ${number} has key ${key}, its record is ${id}`);
        found.set(number, record);
      }
      return found;
    },
    points: async (name, node) => {
      const points = readPoints(await slice(packPath(name, "points", node.points.pack), node.points));
      const first = firstOf(name, node.country);
      return Array.from({ length: points.rows }, (_, row) => ({
        geometry: points.geometry(row),
        number: first + points.number(row),
        address: points.address(row, node.record),
      }));
    },
    postings: async (name) => {
      const found = new Map<string, Map<string, number[]>>();
      for (const node of await nodes(name, "term")) {
        const slice_ = readPostings(await slice(packPath(name, "term", node.pack), node));
        const ofCountry = found.get(node.country) ?? new Map<string, number[]>();
        found.set(node.country, ofCountry);
        for (const [ordinal, term] of slice_.terms.entries()) {
          const numbers = Array.from(slice_.numbersAt(ordinal), (number) => firstOf(name, node.country) + number);
          const before = ofCountry.get(term) ?? [];
          if (ordinal === 0 && before.length !== node.start) {
            throw new Error(`${name} ${term}: ${before.length} rows before the slice, expected ${node.start}`);
          }
          ofCountry.set(term, [...before, ...numbers]);
        }
      }
      return found;
    },
    tables: async (name, run, columns) =>
      Promise.all(
        (await nodes(name, run)).map(async (node) => {
          const bytes = await slice(packPath(name, run, node.pack), node);
          const table =
            run === "suggest"
              ? unpackSuggestions(readTable(bytes, STORED_SUGGEST_COLUMNS, node.rows))
              : readTable(bytes, columns, node.rows);
          return { country: node.country, table };
        }),
      ),
  };
}

/** Returns the id in a record. */
export function idOf({ json }: StoredRecord): string {
  return String((JSON.parse(new TextDecoder().decode(json)) as { id: unknown }).id);
}

/** Path of the pack of a primary slice. */
export function pathOfSlice(name: CollectionName, node: LocationNode): string {
  return locationPackPath(name, node);
}
