/**
 * Checks rows, records, ids and points of a batch of countries.
 * @module
 */

import type { BBox } from "../../../data/format/bbox.ts";
import { firstLineOf } from "../../../data/format/message-of.ts";
import { reportCells } from "./cell-counts.ts";
import { comparePoints, compareRecords } from "./compare-runs.ts";
import { isKept, keepRows } from "./copied-rows.ts";
import { compareEntries, loadIds } from "./id-table.ts";
import { checksOf } from "./ledger.ts";
import { checkLocationPacks, type LocationPack } from "./location-packs.ts";
import { loadRecords } from "./record-table.ts";
import { emptyRows, loadPoints, loadRows } from "./row-table.ts";
import {
  checkLocationOrder,
  checkPackOfSlices,
  checkSlice,
  type SliceAndRows,
  summariseSlices,
} from "./slice-checks.ts";
import type { TableNode } from "./slice-table.ts";
import { reportTerms } from "./terms.ts";
import type { Verified } from "./verified.ts";

/** What was found in the countries checked so far. */
export interface Sums {
  /** Number of rows by country. */
  readonly rows: Map<string, number>;
  /** Boxes of slices by country, as JSON without duplicates, because neighbouring slices often have equal ones. */
  readonly boxes: Map<string, Set<string>>;
  /**
   * Boxes of the segments (slices of ids) by country. The narrowest box around several boxes depends on their grouping,
   * so boxes of terms are made from the same groups as in the build.
   */
  readonly segments: Map<string, readonly BBox[]>;
  /** Countries whose rows, records and ids could all be read. */
  readonly comparedCountries: Set<string>;
}

/** Checks a batch of countries. Reports faults to the ledger, and adds what it finds to `sums`. */
export async function verifyBatch(
  verified: Verified,
  dictionary: Uint8Array,
  batch: ReadonlySet<string>,
  sums: Sums,
): Promise<void> {
  const { database, name, sliceTable } = verified;
  const packs = await loadPacks(verified, batch);
  const summaries = await summariseSlices(database);
  const geo = new Map(packs.flatMap(({ slices }) => slices.map((slice) => [slice.slice, slice.geo] as const)));
  const byPath = new Map<string, SliceAndRows[]>();
  const nodes: TableNode<"location">[] = [];
  const whole = new Set(batch);
  for await (const entry of sliceTable.nodes("location", batch)) {
    const own = geo.get(entry.slice);
    if (!own) {
      whole.delete(entry.node.country);
      continue;
    }
    const rows = summaries.get(entry.slice);
    const box = await checkSlice(verified, entry, rows, own);
    const { country } = entry.node;
    if (box) sums.boxes.set(country, (sums.boxes.get(country) ?? new Set()).add(JSON.stringify(box)));
    sums.rows.set(country, (sums.rows.get(country) ?? 0) + (rows?.rows ?? 0));
    if (!rows || rows.faulty > 0) {
      whole.delete(country);
      continue;
    }
    nodes.push(entry);
    byPath.set(entry.path, [...(byPath.get(entry.path) ?? []), [entry, rows]]);
  }
  for (const pack of packs) checkPackOfSlices(verified, pack, byPath.get(pack.path) ?? []);
  checkLocationOrder(verified, [...byPath.values()].flat());
  const recorded = await loadRecords(verified, dictionary, batch);
  const compared = new Set([...whole].filter((country) => recorded.has(country)));
  await compareRecords(verified, compared);
  const segments = await loadIds(verified, batch);
  const countries = new Set([...compared].filter((country) => segments.has(country)));
  await compareEntries(verified, countries, segments);
  await loadPoints(verified, batch);
  await comparePoints(verified, compared, nodes);
  await reportTerms(verified, countries);
  await reportCells(verified, countries);
  await keepRows(database, name, countries);
  for (const country of countries) {
    sums.comparedCountries.add(country);
    sums.segments.set(
      country,
      (segments.get(country) ?? []).map(({ entry }) => entry.node.bbox),
    );
  }
}

/** Packs in one query: DuckDB holds about 100 KB for the footer of each. */
const QUERY_PACKS = 64;

/** Fills the table of rows from the packs of these countries. Returns the readable packs; others are faults. */
async function loadPacks(verified: Verified, batch: ReadonlySet<string>): Promise<LocationPack[]> {
  const loaded: LocationPack[] = [];
  await emptyRows(verified.database);
  const load = async (packs: readonly LocationPack[]): Promise<void> => {
    await loadRows(verified, packs, isKept(verified.name));
    loaded.push(...packs);
  };
  const loadEach = async (packs: readonly LocationPack[]): Promise<void> => {
    for (const pack of packs) {
      const error = await load([pack]).then(() => undefined, firstLineOf);
      checksOf(verified, pack.path).say("columns", error === undefined, () => `cannot be read: ${error}`);
    }
  };
  let waiting: LocationPack[] = [];
  for await (const pack of checkLocationPacks(verified, batch)) {
    waiting.push(pack);
    if (waiting.length < QUERY_PACKS) continue;
    await load(waiting).catch(() => loadEach(waiting));
    waiting = [];
  }
  await load(waiting).catch(() => loadEach(waiting));
  return loaded;
}

const BATCH_ROWS = 250_000;

/**
 * Divides the list, in order, into batches of at most `mostRows` rows. A country with more rows is a batch of its own.
 */
export function batchCountries(
  countries: readonly (readonly [country: string, rows: number])[],
  mostRows: number = BATCH_ROWS,
): ReadonlySet<string>[] {
  const batches: Set<string>[] = [];
  let freeRows = 0;
  for (const [country, rows] of countries) {
    const batch = batches.at(-1);
    if (batch && rows <= freeRows) {
      batch.add(country);
      freeRows -= rows;
    } else {
      batches.push(new Set([country]));
      freeRows = mostRows - rows;
    }
  }
  return batches;
}
