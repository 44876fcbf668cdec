/** Which rows of which collections a statement can ask for, from DuckDB's own plan of it. @module */
import type { CollectionName } from "../../../../data/format/collections.ts";
import type { WantedRows } from "../../../engine/index.ts";
import { scanCondition } from "./scan-conditions.ts";

/** Off, since statistics of an empty table fold its scan to nothing, and late fetching scans without conditions. Set before the lock. */
export const PLAIN_PLANS = "disabled_optimizers = 'statistics_propagation,late_materialization'";

interface PlanNode {
  readonly name: string;
  readonly children: readonly PlanNode[];
  readonly extra_info: Readonly<Record<string, unknown>>;
}

export function neededRows(
  plan: string,
  collectionOf: (table: string) => CollectionName | undefined,
): readonly WantedRows[] {
  const wanted: WantedRows[] = [];
  const visit = ({ children, extra_info: told }: PlanNode): void => {
    const collection = typeof told.Table === "string" ? collectionOf(told.Table) : undefined;
    if (collection) wanted.push({ collection, condition: scanCondition(textsOf(told.Filters)) });
    children.forEach(visit);
  };
  (JSON.parse(plan) as readonly PlanNode[]).forEach(visit);
  return wanted;
}

function textsOf(filters: unknown): string[] {
  if (filters === undefined) return [];
  return Array.isArray(filters) ? filters.map(String) : [String(filters)];
}
