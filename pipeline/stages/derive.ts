import type { CollectionName } from "../../data/format/collections.ts";
import type { PartitionNode } from "../../data/format/manifest.ts";
import type { DeriveTask } from "../plan/index.ts";
import { derivedRuns } from "../term-runs/index.ts";
import { rowsSql } from "./row-files.ts";
import { readSurvey } from "./survey.ts";
import type { TaskContext } from "./task-context.ts";

export interface DeriveFacts {
  /** None when the dataset has no need of the run. */
  readonly partitions: readonly PartitionNode[];
}

/** Makes a run from all rows of a collection, or of two. */
export async function derive(
  { plan, database, folder }: TaskContext,
  { collection, run: name, from }: DeriveTask,
): Promise<DeriveFacts> {
  const rows = new Map<CollectionName, string>();
  let countryCount = 0;
  for (const { collection: other, survey } of from) {
    const { kept, facts } = await readSurvey(plan, survey);
    if (facts.countries.length > 0) rows.set(other, `(SELECT *, _country AS country FROM ${rowsSql(kept, "id")})`);
    if (other === collection) countryCount = facts.countries.length;
  }
  const derived = derivedRuns([...rows.keys()]).find((each) => each.collection === collection && each.run === name);
  if (!derived || countryCount < derived.leastCountries) return { partitions: [] };
  const rowsOf = (of: CollectionName): string => {
    const sql = rows.get(of);
    if (sql === undefined) throw new Error(`${collection}: ${name} run is made from ${of}, which has no rows`);
    return sql;
  };
  return { partitions: await derived.write(database, { rowsOf, folder }) };
}
