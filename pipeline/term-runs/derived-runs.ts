/** Runs made from whole collections: names for a search box, where ids are, counts of places. @module */
import type { CollectionName } from "../../data/format/collections.ts";
import { ALL_COUNTRIES, type CountRunName, type PartitionNode, type TermRunName } from "../../data/format/manifest.ts";
import type { Database } from "../database/index.ts";
import { COUNT_COLUMNS, COUNT_RUNS, makeCountRun, makeCounts } from "./count-runs.ts";
import { LOOKUP_COLUMNS, makeLookup, makeLookupRun } from "./lookup-run.ts";
import { makeSuggestions, makeSuggestRun, SUGGEST_COLUMNS } from "./suggest-run.ts";
import type { RowsOf } from "./write-term-run.ts";

export interface DerivedRun {
  readonly collection: CollectionName;
  readonly run: TermRunName;
  readonly of: readonly CollectionName[];
  /** With fewer countries the run is not made. */
  readonly leastCountries: number;
  readonly columns: readonly string[];
  /** Makes a table of its rows, in order; `verify` compares it with the files. */
  readonly tell: (database: Database, options: { readonly rowsOf: RowsOf; readonly table: string }) => Promise<void>;
  /** SQL of a row's country and term. */
  readonly country: string;
  readonly term: string;
  readonly write: (database: Database, options: WriteOptions) => Promise<PartitionNode[]>;
}

interface WriteOptions {
  readonly rowsOf: RowsOf;
  readonly folder: string;
}

export function derivedRuns(collections: readonly CollectionName[]): DerivedRun[] {
  const all = `'${ALL_COUNTRIES}'`;
  const hasAreas = collections.includes("division_area");
  const suggest: DerivedRun = {
    collection: "division",
    run: "suggest",
    of: hasAreas ? ["division", "division_area"] : ["division"],
    leastCountries: 1,
    columns: SUGGEST_COLUMNS,
    tell: (database, options) => makeSuggestions(database, { ...options, hasAreas }),
    country: all,
    term: "term",
    write: (database, options) => makeSuggestRun(database, { ...options, hasAreas }),
  };
  const lookups = collections.map(
    (collection): DerivedRun => ({
      collection,
      run: "find",
      of: [collection],
      // with one country the id run is as good
      leastCountries: 2,
      columns: LOOKUP_COLUMNS,
      tell: (database, options) => makeLookup(database, { ...options, collection }),
      country: all,
      term: "printf('%08x', key)",
      write: (database, options) => makeLookupRun(database, { ...options, collection }),
    }),
  );
  const counts = COUNT_RUNS.map(
    (run: CountRunName): DerivedRun => ({
      collection: "place",
      run,
      of: ["place"],
      leastCountries: 1,
      columns: COUNT_COLUMNS,
      tell: (database, options) => makeCounts(database, { ...options, run }),
      country: "_country",
      term: "lpad(CAST(row_number() OVER (PARTITION BY _country ORDER BY rowid) - 1 AS VARCHAR), 9, '0')",
      write: (database, options) => makeCountRun(database, { ...options, run }),
    }),
  );
  return [
    ...(collections.includes("division") ? [suggest] : []),
    ...lookups,
    ...(collections.includes("place") ? counts : []),
  ];
}
