/** Runs SQL statements in order. Before each, asks about the rows that it needs and reads them. @module */
import type { CollectionName } from "../../../data/format/collections.ts";
import type { ListedPartition, PartitionList, WantedRows } from "../../engine/index.ts";
import {
  type ConsoleResult,
  isUnanswered,
  MOST_UNASKED_BYTES,
  type StatementBounds,
} from "../../hosts/browser/protocol/index.ts";

/** Partitions to read: their collections, number, rows, and bytes. */
export interface Cost {
  readonly collections: readonly CollectionName[];
  readonly partitions: number;
  readonly rows: number;
  readonly bytes: number;
}

/** What the run needs from others: the database worker, the page's worker, and the user. */
export interface StatementPorts<Result = ConsoleResult> {
  readonly most: StatementBounds;
  statements(sql: string): Promise<readonly string[]>;
  needs(statement: string): Promise<readonly WantedRows[]>;
  list(wanted: readonly WantedRows[]): Promise<PartitionList>;
  missing(list: PartitionList): Promise<readonly ListedPartition[]>;
  read(partition: ListedPartition): Promise<ArrayBuffer>;
  fill(partition: ListedPartition, stream: ArrayBuffer): Promise<unknown>;
  run(statement: string): Promise<Result>;
  /** Asks the user whether to read this much. */
  agree(cost: Cost): Promise<boolean>;
  onRead(progress: { readonly read: number; readonly cost: Cost }): void;
}

/** The result of the last statement and the cost of all statements, or why one was not run. */
export type Ran<Result = ConsoleResult> =
  | {
      readonly kind: "result";
      readonly result: Result;
      /** What was read now. */
      readonly read: Cost;
      /** What the statements need, in memory or not. */
      readonly needed: Cost;
    }
  | { readonly kind: "nothing" | "declined" }
  | { readonly kind: "tooMuch"; readonly cost: Cost }
  /** Offline, and these are not on the device; if `partitions` is undefined, the index itself. */
  | { readonly kind: "missing"; readonly collections: readonly CollectionName[]; readonly partitions?: number };

/** Maximum number of parallel reads. More would share the same connection. */
const AT_ONCE = 4;

/** Runs the statements of the text in order, and stops at the first that cannot be run. Throws errors of the ports. */
export async function runStatements<Result>(sql: string, ports: StatementPorts<Result>): Promise<Ran<Result>> {
  const statements = await ports.statements(sql);
  const read: ListedPartition[] = [];
  const needed = new Map<string, ListedPartition>();
  let result: Result | undefined;
  for (const statement of statements) {
    const ready = await prepare(await ports.needs(statement), ports);
    if ("kind" in ready) return ready;
    read.push(...ready.missing);
    for (const partition of ready.listed) needed.set(`${partition.collection} ${partition.node.sha256}`, partition);
    result = await ports.run(statement);
  }
  if (result === undefined) return { kind: "nothing" };
  return { kind: "result", result, read: costOf(read), needed: costOf([...needed.values()]) };
}

interface Ready {
  readonly listed: readonly ListedPartition[];
  /** Those of `listed` that were not in the database before, and were read now. */
  readonly missing: readonly ListedPartition[];
}

/** Reads the rows that a statement needs into the database. Returns what was read, or why it could not be. */
async function prepare(
  wanted: readonly WantedRows[],
  ports: Omit<StatementPorts<unknown>, "run">,
): Promise<Ready | Exclude<Ran, { readonly kind: "result" }>> {
  if (wanted.length === 0) return { listed: [], missing: [] };
  let list: PartitionList;
  try {
    list = await ports.list(wanted);
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    return { kind: "missing", collections: [...new Set(wanted.map(({ collection }) => collection))] };
  }
  const needed = costOf(list.partitions);
  if (needed.bytes > ports.most.bytes || needed.rows > ports.most.rows) return { kind: "tooMuch", cost: needed };
  const missing = await ports.missing(list);
  const cost = costOf(missing);
  if (cost.bytes > MOST_UNASKED_BYTES && !(await ports.agree(cost))) return { kind: "declined" };
  const unread = await readAll(missing, cost, ports);
  if (unread.length === 0) return { listed: list.partitions, missing };
  const { collections, partitions } = costOf(unread);
  return { kind: "missing", collections, partitions };
}

/**
 * Reads the partitions into the database. Returns those that could not be read because the host did not answer; throws other
 * errors.
 */
async function readAll(
  partitions: readonly ListedPartition[],
  cost: Cost,
  ports: Omit<StatementPorts<unknown>, "run">,
): Promise<readonly ListedPartition[]> {
  const unread: ListedPartition[] = [];
  const left = [...partitions];
  let [read, hasFailed] = [0, false];
  let filled: Promise<unknown> = Promise.resolve();
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next && !hasFailed; next = left.shift()) {
      const partition = next;
      try {
        const stream = await ports.read(partition);
        filled = filled.then(() => ports.fill(partition, stream));
        await filled;
        ports.onRead({ read: ++read, cost });
      } catch (error) {
        if (isUnanswered(error)) unread.push(partition);
        else {
          hasFailed = true;
          throw error;
        }
      }
    }
  };
  if (partitions.length > 0) ports.onRead({ read, cost });
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return unread;
}

function costOf(partitions: readonly ListedPartition[]): Cost {
  return {
    collections: [...new Set(partitions.map(({ collection }) => collection))],
    partitions: partitions.length,
    rows: partitions.reduce((sum, { node }) => sum + node.rows, 0),
    bytes: partitions.reduce((sum, { node }) => sum + node.bytes, 0),
  };
}
