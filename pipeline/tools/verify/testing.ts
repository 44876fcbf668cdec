/** Runs `verifyDataset` on small datasets that are wrong in one way. @module */
import { expect } from "vitest";
import type { CollectionName } from "../../../data/format/collections.ts";
import { type Change, SMALL_PREFIX_ROWS, writeSmallDataset } from "../../testing/small-dataset/index.ts";
import { verifyDataset } from "./verify.ts";

/** Name of the case, the change, and patterns that the faults match: each pattern at least one. */
export type Mutation = readonly [name: string, change: Change, ...faults: RegExp[]];

/** Returns the faults of a dataset. */
export async function faultsOf(folder: string): Promise<string[]> {
  return (await verifyDataset(folder, { prefixRows: SMALL_PREFIX_ROWS })).flatMap(({ faults }) => faults);
}

/** Writes a dataset with the change and expects exactly these faults. */
export async function expectFaults(
  folder: string,
  collections: readonly CollectionName[],
  [, change, ...patterns]: Mutation,
): Promise<void> {
  await writeSmallDataset(folder, { change, collections });
  holdFaults(await faultsOf(folder), patterns);
}

/** Wrong figures of a manifest have a second fault: readers refuse it. */
const REFUSED = /^manifest\.json: its sums are wrong: /;

/** Expects that faults and patterns match. */
export function holdFaults(faults: readonly string[], patterns: readonly RegExp[]): void {
  const missing = patterns.filter((pattern) => !faults.some((fault) => pattern.test(fault)));
  const unexpected = faults.filter((fault) => !REFUSED.test(fault) && !patterns.some((pattern) => pattern.test(fault)));
  expect({ missing, unexpected }).toEqual({ missing: [], unexpected: [] });
  for (const fault of faults) expect(fault).not.toMatch(/\n|(expected|got|of|at|by|in) undefined|NaN/);
}

/** Changes the value for one slice, country or run only. */
export function only<Value>(
  at: Readonly<Record<string, unknown>>,
  where: Readonly<Record<string, unknown>>,
  value: Value,
  changeTo: (value: Value) => Value,
): Value {
  return Object.entries(where).every(([key, wanted]) => at[key] === wanted) ? changeTo(value) : value;
}
