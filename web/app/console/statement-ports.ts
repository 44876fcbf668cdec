/** Connects the run of statements with the database worker and the page's worker. @module */
import { collectionIn, type HasCollections } from "../../../data/format/own-collections.ts";
import { statementBounds } from "../../hosts/browser/protocol/index.ts";
import { dataset } from "../state/index.ts";
import { type RunningDatabase, remote } from "../worker/index.ts";
import type { StatementPorts } from "./run-statements.ts";

/** Returns the ports that the workers provide: all but `run`, `agree` and `onRead`. `stopped` ends reads. */
export function workerPorts(
  { call, ended: over }: RunningDatabase,
  stopped: AbortSignal,
): Omit<StatementPorts<never>, "run" | "agree" | "onRead"> {
  return {
    most: statementBounds(navigator),
    statements: (sql) => call("splitConsole", sql, over),
    needs: (statement) => call("consoleNeeds", statement, over),
    list: (wanted) => remote("consolePartitions", wanted, stopped),
    missing: (list) => call("missingPartitions", list, over),
    read: (partition) => remote("consoleRows", partition, stopped),
    fill: (partition, stream) => call("fillConsole", { partition, stream }, over),
  };
}

/** Returns the collections of the dataset by name; none before the dataset is loaded. */
export function describedCollections(): HasCollections {
  const described = dataset.peek()?.collections ?? [];
  return { collections: Object.fromEntries(described.map((one) => [one.name, { schema: one.schema }])) };
}

/** Creates in the database a table for each collection of the dataset, unless it exists. */
export async function openCollections({ call, ended: over }: RunningDatabase): Promise<void> {
  const all = describedCollections();
  const schemas = Object.keys(all.collections)
    .map((name) => collectionIn(all, name))
    .map(({ name, columns }) => ({ name, columns }));
  if (schemas.length > 0) await call("openTables", schemas, over);
}
