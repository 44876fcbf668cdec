/**
 * Compares a search result with the oracle.
 * @module
 */
import assert from "node:assert/strict";
import { compareIds } from "../../../data/format/ids.ts";
import type { Circle, Query } from "../contract/query.ts";
import type { Dataset } from "../dataset.ts";
import type { Oracle } from "./oracle.ts";

/** Distances are rounded to 1 mm on one side and computed differently on the other. */
const TOLERANCE_METERS = 0.001;
const WORLD_METERS = 21_000_000;

/** Runs the search and checks ids, order, distances and the count. */
export async function checkSearch(
  dataset: Dataset,
  oracle: Oracle,
  query: Query,
): Promise<{ readonly total: number; readonly ids: readonly string[] }> {
  const result = await dataset.search(query);
  const features = [...result.features(new Set(["ext_distance"]))];
  const found = features.map(({ id, properties }) => ({ id, meters: Number(properties.ext_distance) }));
  const what = JSON.stringify(query);
  assert.equal(found.length, result.length, what);
  assert.equal(found.length, Math.max(0, Math.min(query.limit, result.total - query.offset)), what);
  if (query.circle) checkCircle(oracle, query, query.circle, found, result.total);
  else {
    const ids = oracle.ids(query);
    assert.equal(result.total, ids.length, what);
    const expected = ids.slice(query.offset, query.offset + query.limit);
    // comparing thousands of ids by value is slow
    const isSame = found.length === expected.length && found.every(({ id }, i) => id === expected[i]);
    const given = () => found.map(({ id }) => id).join();
    if (!isSame) assert.fail(`${what}: found ${given()}, expected ${expected.join()}`);
  }
  return { total: result.total, ids: found.map(({ id }) => id) };
}

function checkCircle(
  oracle: Oracle,
  query: Query,
  circle: Circle,
  found: readonly { readonly id: string; readonly meters: number }[],
  total: number,
): void {
  const what = JSON.stringify(query);
  const { least, most } = oracle.count(query, circle, circle.radiusMeters);
  assert.ok(least <= total && total <= most, `${what}: ${total} rows, expected ${least} to ${most}`);
  const last = found.at(-1);
  if (!last) return;

  const near = oracle.near(query, circle, Math.min(WORLD_METERS, last.meters + 1));
  const expected = near
    .map(({ id, meters }) => ({ id, meters: Math.round(meters * 1000) / 1000 }))
    .sort((a, b) => a.meters - b.meters || compareIds(a.id, b.id))
    .slice(query.offset, query.offset + found.length);
  if (isSame(found, expected)) return;

  // A distance may round the other way: then each row may move by 1 mm in the order.
  const metersById = new Map(near.map(({ id, meters }) => [id, meters]));
  const sorted = near.map(({ meters }) => meters);
  for (const [index, { id, meters }] of found.entries()) {
    const before = found[index - 1];
    const named = `${what} ${id}`;
    if (before) assert.ok((before.meters - meters || compareIds(before.id, id)) < 0, named);
    assert.ok(Math.abs(meters - (metersById.get(id) ?? Number.NaN)) < TOLERANCE_METERS, named);
    const rank = query.offset + index;
    assert.ok(countBelow(sorted, meters - 2 * TOLERANCE_METERS) <= rank, named);
    assert.ok(countBelow(sorted, meters + 2 * TOLERANCE_METERS) > rank, named);
  }
}

function isSame(a: readonly { id: string; meters: number }[], b: readonly { id: string; meters: number }[]): boolean {
  return a.length === b.length && a.every(({ id, meters }, i) => id === b[i]?.id && meters === b[i]?.meters);
}

function countBelow(sorted: readonly number[], meters: number): number {
  const index = sorted.findIndex((other) => other >= meters);
  return index === -1 ? sorted.length : index;
}
