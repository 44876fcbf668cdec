/** What `verifyDataset` says of small datasets that are wrong in one way. @module */
import { expect } from "vitest";
import type { CollectionName } from "../../data/format/collections.ts";
import { type Change, SMALL_PREFIX_ROWS, writeSmallDataset } from "../testing/small-dataset/index.ts";
import { verifyDataset } from "./verify.ts";

/** Name of the case, what is done, and what each fault must match: every pattern one at least. */
export type Mutation = readonly [name: string, change: Change, ...faults: RegExp[]];

export async function faultsOf(folder: string): Promise<string[]> {
  return (await verifyDataset(folder, { prefixRows: SMALL_PREFIX_ROWS })).flatMap(({ faults }) => faults);
}

/** Writes a dataset with the change and holds that the faults are those expected, and no others. */
export async function expectFaults(
  folder: string,
  collections: readonly CollectionName[],
  [, change, ...patterns]: Mutation,
): Promise<void> {
  await writeSmallDataset(folder, { change, collections });
  holdFaults(await faultsOf(folder), patterns);
}

export function holdFaults(faults: readonly string[], patterns: readonly RegExp[]): void {
  const unsaid = patterns.filter((pattern) => !faults.some((fault) => pattern.test(fault)));
  const unexpected = faults.filter((fault) => !patterns.some((pattern) => pattern.test(fault)));
  expect({ unsaid, unexpected }).toEqual({ unsaid: [], unexpected: [] });
  for (const fault of faults) expect(fault).not.toMatch(/\n|undefined|NaN/);
}

/** The value for one slice, country or run, others as they are. */
export function only<Value>(
  at: Readonly<Record<string, unknown>>,
  where: Readonly<Record<string, unknown>>,
  value: Value,
  changeTo: (value: Value) => Value,
): Value {
  return Object.entries(where).every(([key, wanted]) => at[key] === wanted) ? changeTo(value) : value;
}
