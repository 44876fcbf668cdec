/** Countries of a collection, looked at together: rows, records and points. @module */
import { COLLECTIONS, type CollectionName } from "../../data/format/collections.ts";
import type { ManifestCollection } from "../../data/format/manifest.ts";
import type { Database } from "../database/index.ts";
import { comparePoints, compareRecords } from "./compare-runs.ts";
import { isKept, keepRows } from "./kept-rows.ts";
import { checksOf, type Ledger, messageOf } from "./ledger.ts";
import { checkLocationPacks, type LocationPack } from "./location-packs.ts";
import { loadPoints } from "./points-table.ts";
import { loadRecords } from "./record-table.ts";
import { emptyRows, loadRows } from "./row-table.ts";
import type { BookedNode, SliceBook } from "./slice-book.ts";
import {
  checkLocationOrder,
  checkPackOfSlices,
  checkSlice,
  type SliceAndRows,
  summariseSlices,
} from "./slice-checks.ts";
import { tellTerms } from "./told-terms.ts";

export interface VerifiedCollection {
  readonly database: Database;
  readonly dataset: string;
  readonly name: CollectionName;
  /** Rows looked at together, about. */
  readonly batchRows?: number | undefined;
  /** Rows from which on a beginning of names is a term. */
  readonly prefixRows?: number | undefined;
}

export interface Verified extends VerifiedCollection {
  readonly manifest: ManifestCollection;
  readonly book: SliceBook;
  readonly dictionary: Uint8Array;
}

/** What was found of countries so far. */
export interface Sums {
  readonly rows: Map<string, number>;
  /** By country, as JSON: neighbours often have the same. */
  readonly boxes: Map<string, Set<string>>;
  /** Countries whose rows and records were read whole. */
  readonly told: Set<string>;
}

export async function verifyBatch(
  verified: Verified,
  batch: ReadonlySet<string>,
  sums: Sums,
  ledger: Ledger,
): Promise<void> {
  const { database, dataset, name, manifest, book, dictionary, prefixRows } = verified;
  const packs = await loadPacks(verified, batch, ledger);
  const summaries = await summariseSlices(database);
  const geo = new Map(packs.flatMap(({ slices }) => slices.map((slice) => [slice.slice, slice.geo] as const)));
  const byPath = new Map<string, SliceAndRows[]>();
  const nodes: BookedNode<"location">[] = [];
  const whole = new Set(batch);
  for await (const booked of book.nodes("location", batch)) {
    const own = geo.get(booked.slice);
    if (!own) {
      whole.delete(booked.node.country);
      continue;
    }
    const rows = summaries.get(booked.slice);
    const box = await checkSlice(database, name, booked, rows, own, ledger);
    const { country } = booked.node;
    if (box) sums.boxes.set(country, (sums.boxes.get(country) ?? new Set()).add(JSON.stringify(box)));
    sums.rows.set(country, (sums.rows.get(country) ?? 0) + (rows?.rows ?? 0));
    if (!rows || rows.faulty > 0) {
      whole.delete(country);
      continue;
    }
    nodes.push(booked);
    byPath.set(booked.path, [...(byPath.get(booked.path) ?? []), [booked, rows]]);
  }
  for (const pack of packs) checkPackOfSlices(name, pack, byPath.get(pack.path) ?? [], ledger);
  checkLocationOrder(name, [...byPath.values()].flat(), ledger);
  const recorded = await loadRecords(database, { dataset, name, dictionary, book }, batch, ledger);
  const countries = new Set([...whole].filter((country) => recorded.has(country)));
  await compareRecords(database, { name, countries }, ledger);
  await loadPoints(database, { dataset, name, book, stretches: manifest.stretches }, batch, ledger);
  await comparePoints(database, { name, countries }, nodes, ledger);
  await tellTerms(database, { name, countries, prefixRows });
  await keepRows(database, name, countries);
  for (const country of countries) sums.told.add(country);
}

/** DuckDB keeps the footers of a query's files, some 100 KB each. */
const QUERY_PACKS = 64;

/** Loads the rows of the packs of these countries; returns the packs that could be read. */
async function loadPacks(
  { database, dataset, name, book }: Verified,
  batch: ReadonlySet<string>,
  ledger: Ledger,
): Promise<LocationPack[]> {
  const collection = COLLECTIONS[name];
  const loaded: LocationPack[] = [];
  await emptyRows(database);
  const load = async (packs: readonly LocationPack[]): Promise<void> => {
    await loadRows(database, { dataset, collection, isKept: isKept(name) }, packs);
    loaded.push(...packs);
  };
  const loadEach = async (packs: readonly LocationPack[]): Promise<void> => {
    for (const pack of packs) {
      const error = await load([pack]).then(() => undefined, messageOf);
      checksOf(ledger, name, pack.path).say("columns", error === undefined, () => `cannot be read: ${error}`);
    }
  };
  let waiting: LocationPack[] = [];
  for await (const pack of checkLocationPacks({ database, dataset, collection, book }, batch, ledger)) {
    waiting.push(pack);
    if (waiting.length < QUERY_PACKS) continue;
    await load(waiting).catch(() => loadEach(waiting));
    waiting = [];
  }
  await load(waiting).catch(() => loadEach(waiting));
  return loaded;
}
