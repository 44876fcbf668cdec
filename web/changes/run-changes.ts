/** Runs the same search in two releases, and compares the records. @module */
import { COLLECTIONS, isOvertureType } from "../../data/format/collections.ts";
import { compareIds } from "../../data/format/ids.ts";
import { textOf } from "../../data/format/json.ts";
import { MAX_PAGE_RECORDS } from "../../data/format/limits.ts";
import { type Dataset, type Feature, nextTask } from "../engine/index.ts";
import { ParameterError, runSearch, type Search } from "../search/index.ts";
import type { ChangesSearch } from "./changes-path.ts";

/** How a record differs. One that moved out of the circle or the country is `removed`. */
type Change = "added" | "removed" | "changed";

/** A changed record as a GeoJSON feature. A removed one has its content in the older release. */
export interface ChangedRecord {
  readonly id: string;
  readonly type: "Feature";
  readonly geometry: Feature["geometry"];
  readonly properties: {
    readonly id: string;
    readonly collection: string;
    readonly change: Change;
    /** Names of the columns that differ; empty unless `changed`. */
    readonly columns: readonly string[];
    readonly country: string | null;
    readonly name: string | null;
  };
}

export interface FoundChanges {
  /** Number of changes on all pages. */
  readonly total: number;
  readonly counts: Readonly<Record<Change, number>>;
  /** The changes of the page, by collection, then id. */
  readonly changes: readonly ChangedRecord[];
  readonly release: string;
}

interface RunOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Time in milliseconds for which records are compared before other work gets a turn. */
const SLICE_MS = 20;

/**
 * Returns the page of changes between the records of the search in the release `since` and those in the current or named one, and
 * their numbers. Throws like `runSearch`, and `ParameterError` when the dataset does not have `since`, or when more than 25,000
 * records of a release match.
 */
export async function runChanges(
  dataset: Dataset,
  { since, search }: ChangesSearch,
  { signal }: RunOptions = {},
): Promise<FoundChanges> {
  const { kept = [] } = await dataset.manifest(signal);
  if (!kept.some(({ release }) => release === since)) throw new ParameterError([notKept(since, kept)]);
  const newer = await recordsOf(dataset, search, { signal });
  const older = await recordsOf(dataset, { ...search, release: since }, { signal });
  const changes: ChangedRecord[] = [];
  let sliceStart = performance.now();
  for (const [key, record] of newer.records) {
    const before = older.records.get(key);
    older.records.delete(key);
    const columns = before ? differingColumns(before, record) : [];
    if (!before) changes.push(changeOf("added", record, []));
    else if (columns.length > 0) changes.push(changeOf("changed", record, columns));
    if (performance.now() - sliceStart < SLICE_MS) continue;
    await nextTask();
    signal?.throwIfAborted();
    sliceStart = performance.now();
  }
  for (const record of older.records.values()) changes.push(changeOf("removed", record, []));
  changes.sort(
    ({ properties: a }, { properties: b }) => compareIds(a.collection, b.collection) || compareIds(a.id, b.id),
  );
  const start = search.page * search.limit;
  const count = (change: Change): number => changes.filter(({ properties }) => properties.change === change).length;
  const counts = { added: count("added"), removed: count("removed"), changed: count("changed") };
  return { total: changes.length, counts, changes: changes.slice(start, start + search.limit), release: newer.release };
}

function notKept(since: string, kept: readonly { readonly release: string }[]): string {
  const names = kept.map(({ release }) => release).join(", ");
  const allowed =
    names === "" ? "the name of an older release, and this dataset has none" : `one of the older releases, ${names}`;
  return `since must be ${allowed}, got ${JSON.stringify(since)}`;
}

async function recordsOf(
  dataset: Dataset,
  search: Search,
  options: RunOptions,
): Promise<{ readonly records: Map<string, Feature>; readonly release: string }> {
  const ask = (limit: number) =>
    runSearch(dataset, { ...search, query: { ...search.query, offset: 0, limit } }, options);
  // counted first: reads points, but no records
  const { total, report } = await ask(0);
  if (total > MAX_PAGE_RECORDS) {
    throw new ParameterError([
      `at most ${MAX_PAGE_RECORDS} records of a release are compared, got ${total} of ${report.release}: use a smaller radius or fewer types`,
    ]);
  }
  const { features } = await ask(MAX_PAGE_RECORDS);
  const records = new Map<string, Feature>();
  for (const record of features()) records.set(`${record.properties.type} ${record.id}`, record);
  return { records, release: report.release };
}

function changeOf(change: Change, record: Feature, columns: readonly string[]): ChangedRecord {
  const { id, geometry, properties } = record;
  const { names } = properties;
  const name = typeof names === "object" && names !== null && "primary" in names ? textOf(names.primary) : undefined;
  const collection = String(properties.type);
  return {
    id,
    type: "Feature",
    geometry,
    properties: { id, collection, change, columns, country: countryOf(record), name: name ?? null },
  };
}

/** Returns the names of the columns that differ, in schema order. */
function differingColumns(older: Feature, newer: Feature): readonly string[] {
  const { type } = newer.properties;
  if (typeof type !== "string" || !isOvertureType(type)) throw new Error(`unknown record type ${JSON.stringify(type)}`);
  return [...COLLECTIONS[type].columns.map(({ name }) => name), "country"].filter(
    (name) => name !== "bbox" && spelled(older, name) !== spelled(newer, name),
  );
}

/** Returns the country by which a record is found; null if unknown. */
function countryOf({ properties }: Feature): string | null {
  const country = properties.ext_country ?? properties.country;
  return typeof country === "string" ? country : null;
}

function spelled(record: Feature, column: string): string | undefined {
  if (column === "geometry") return JSON.stringify(record.geometry);
  return JSON.stringify(column === "country" ? countryOf(record) : record.properties[column]);
}
