import type { CollectionName } from "../../data/format/collections.ts";
import type { TermNode } from "../../data/format/manifest.ts";
import { writePacks } from "../packs/index.ts";
import type { DeriveTask } from "../plan/index.ts";
import { derivedRuns } from "../term-runs/index.ts";
import { numberedSql, readNumbering } from "./numbered-rows.ts";
import { rowsSql, type TaskContext } from "./row-files.ts";
import { readSurvey } from "./survey.ts";

export interface DeriveFacts {
  /** None when there are no rows. */
  readonly partitions: readonly TermNode[];
}

/**
 * Of the largest size of a pack, that of one of suggestions: each name stands in a few small slices among all names of the world,
 * and a name that changes should not cost a host all of them.
 */
const SUGGEST_SHARE = 1 / 16;

/** Makes a run from all rows of a collection, or of two. */
export async function derive(
  { plan, database, folder }: TaskContext,
  { collection, run: name, from, packBytes }: DeriveTask,
): Promise<DeriveFacts> {
  const rows = new Map<CollectionName, string>();
  let numbers = "";
  for (const { collection: other, survey } of from) {
    const { kept, facts } = await readSurvey(plan, survey);
    if (facts.rows === 0) continue;
    rows.set(other, `(SELECT *, _country AS country FROM ${rowsSql(kept)})`);
    if (other === collection) {
      numbers = `(SELECT id, _number AS number FROM ${numberedSql(plan, await readNumbering(plan, { survey }))})`;
    }
  }
  const derived = derivedRuns([...rows.keys()]).find((each) => each.collection === collection && each.run === name);
  if (!derived) return { partitions: [] };
  const rowsOf = (of: CollectionName): string => {
    const sql = rows.get(of);
    if (sql === undefined) throw new Error(`${collection}: ${name} run is made from ${of}, which has no rows`);
    return sql;
  };
  const place = { folder, collection, kind: name } as const;
  const most = name === "suggest" ? packBytes * SUGGEST_SHARE : packBytes;
  return { partitions: await writePacks(place, derived.slices(database, { rowsOf, numbers }), most) };
}
