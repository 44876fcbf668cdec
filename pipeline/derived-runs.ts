/**
 * Runs made from the finished ones: names for a search box, where ids are, counts of places.
 * @module
 */
import type { CollectionName } from "../data/format/collections.ts";
import {
  ALL_COUNTRIES,
  type CountRunName,
  type Manifest,
  type ManifestRun,
  type TermRunName,
} from "../data/format/manifest.ts";
import { COUNT_COLUMNS, COUNT_RUNS, makeCountRun, makeCounts } from "./count-runs.ts";
import type { Database } from "./database.ts";
import { LOOKUP_COLUMNS, makeLookup, makeLookupRun } from "./lookup-run.ts";
import { makeSuggestions, makeSuggestRun, SUGGEST_COLUMNS } from "./suggest-run.ts";

/** A run that is derived, and how it is told again from the dataset in a folder. */
export interface DerivedRun {
  readonly collection: CollectionName;
  readonly run: TermRunName;
  readonly columns: readonly string[];
  /** Makes a table of its rows, in its order. */
  readonly tell: (database: Database, options: { readonly folder: string; readonly table: string }) => Promise<void>;
  /** SQL for the country and the term of a row of that table. */
  readonly country: string;
  readonly term: string;
  /** Writes it; undefined when it has no rows. */
  readonly write: (database: Database, options: WriteOptions) => Promise<ManifestRun | undefined>;
}

interface WriteOptions {
  readonly folder: string;
  readonly onPartition: () => void;
}

/** The derived runs of a dataset with these collections. */
export function derivedRuns(collections: Manifest["collections"]): DerivedRun[] {
  const all = `'${ALL_COUNTRIES}'`;
  const hasAreas = collections.division_area !== undefined;
  const suggest: DerivedRun = {
    collection: "division",
    run: "suggest",
    columns: SUGGEST_COLUMNS,
    tell: (database, options) => makeSuggestions(database, { ...options, hasAreas }),
    country: all,
    term: "term",
    write: (database, options) => makeSuggestRun(database, { ...options, hasAreas }),
  };
  // of one country the id run tells as much
  const scattered = Object.entries(collections).filter(([, { countries }]) => Object.keys(countries).length > 1);
  const lookups = scattered.map(
    ([name]): DerivedRun => ({
      collection: name as CollectionName,
      run: "find",
      columns: LOOKUP_COLUMNS,
      tell: (database, options) => makeLookup(database, { ...options, collection: name as CollectionName }),
      country: all,
      term: "printf('%08x', key)",
      write: (database, options) => makeLookupRun(database, { ...options, collection: name as CollectionName }),
    }),
  );
  const counts = COUNT_RUNS.map(
    (run: CountRunName): DerivedRun => ({
      collection: "place",
      run,
      columns: COUNT_COLUMNS,
      tell: (database, options) => makeCounts(database, { ...options, run }),
      country: "_country",
      term: "lpad(CAST(row_number() OVER (PARTITION BY _country ORDER BY rowid) - 1 AS VARCHAR), 9, '0')",
      write: (database, options) => makeCountRun(database, { ...options, run }),
    }),
  );
  return [...(collections.division ? [suggest] : []), ...lookups, ...(collections.place ? counts : [])];
}

/** Writes all derived runs, and names them in the collections. */
export async function addDerivedRuns(
  database: Database,
  { collections, ...options }: WriteOptions & Pick<Manifest, "collections">,
): Promise<void> {
  for (const { collection, run, write } of derivedRuns(collections)) {
    const made = await write(database, options);
    const entry = collections[collection];
    if (made && entry) entry.runs[run] = made;
  }
}
