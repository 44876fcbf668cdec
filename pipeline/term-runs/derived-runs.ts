/** Runs of tables made from whole collections: names for a search box, where ids are, counts of places. @module */
import type { CollectionName } from "../../data/format/collections.ts";
import type { TableRunName } from "../../data/format/manifest.ts";
import type { Database } from "../database/index.ts";
import type { LooseSlice } from "../packs/index.ts";
import { COUNT_RUNS, countSlices } from "./count-runs.ts";
import { lookupSlices } from "./lookup-run.ts";
import type { RowsOf } from "./rows-of.ts";
import { suggestSlices } from "./suggest-run.ts";
import type { LooseTermNode } from "./term-run.ts";

/** What runs are made from. */
export interface DerivedFrom {
  readonly rowsOf: RowsOf;
  /** SQL of the `id` and the `number` of each row of the run's collection, as what follows FROM. */
  readonly numbers: string;
}

export interface DerivedRun {
  readonly collection: CollectionName;
  readonly run: TableRunName;
  readonly of: readonly CollectionName[];
  readonly slices: (database: Database, from: DerivedFrom) => AsyncIterable<LooseSlice<LooseTermNode>>;
}

export function derivedRuns(collections: readonly CollectionName[]): DerivedRun[] {
  const hasAreas = collections.includes("division_area");
  const suggest: DerivedRun = {
    collection: "division",
    run: "suggest",
    of: hasAreas ? ["division", "division_area"] : ["division"],
    slices: (database, { rowsOf }) => suggestSlices(database, { rowsOf, hasAreas }),
  };
  const lookups = collections.map(
    (collection): DerivedRun => ({
      collection,
      run: "find",
      of: [collection],
      slices: (database, { numbers }) => lookupSlices(database, numbers),
    }),
  );
  const counts = COUNT_RUNS.map(
    (run): DerivedRun => ({
      collection: "place",
      run,
      of: ["place"],
      slices: (database, { rowsOf }) => countSlices(database, { rowsOf, run }),
    }),
  );
  return [
    ...(collections.includes("division") ? [suggest] : []),
    ...lookups,
    ...(collections.includes("place") ? counts : []),
  ];
}
