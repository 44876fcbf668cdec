/**
 * The runs of JSON tables that are made from all rows of collections: suggestions, look-ups of ids, counts of places.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import type { TableRunName } from "../../../data/format/manifest.ts";
import { COUNT_RUNS } from "./counts.ts";

interface DerivedRun {
  readonly collection: CollectionName;
  readonly run: TableRunName;
  /** Collections that it is made from. */
  readonly of: readonly CollectionName[];
}

/**
 * Returns the runs of JSON tables that a dataset with these collections has, and from which collections each is made.
 */
export function derivedRuns(collections: readonly CollectionName[]): DerivedRun[] {
  const suggest: DerivedRun = {
    collection: "division",
    run: "suggest",
    of: collections.includes("division_area") ? ["division", "division_area"] : ["division"],
  };
  const lookups = collections.map((collection): DerivedRun => ({ collection, run: "find", of: [collection] }));
  const counts = COUNT_RUNS.map((run): DerivedRun => ({ collection: "place", run, of: ["place"] }));
  return [
    ...(collections.includes("division") ? [suggest] : []),
    ...lookups,
    ...(collections.includes("place") ? counts : []),
  ];
}
