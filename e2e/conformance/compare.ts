/**
 * Compares one page of an answer with the plain loop's result.
 * @module
 */
import { type Answer, countHeader, type Item, itemsOf } from "./client.ts";
import { expect } from "./expect.ts";
import type { Parameters } from "./filters.ts";
import { numberAt } from "./json.ts";
import { compareIds, EDGE_METERS, type Found } from "./oracle.ts";
import { DEFAULT_LIMIT } from "./paths.ts";

/** Two roundings to a millimetre. */
const TOLERANCE_METERS = EDGE_METERS + 1e-6;

/** Checks count, rows, order and distances of an answer. `found` is the complete result, in order. */
export function comparePage(answer: Answer, parameters: Parameters, found: readonly Found[]): void {
  const items = itemsOf(answer);
  const page = Number(parameters.page ?? 0);
  const limit = Number(parameters.limit ?? DEFAULT_LIMIT);
  const where = answer.request;
  const count = countHeader(answer, "Pagination-Count");
  const sure = found.filter(({ isOptional }) => !isOptional).length;
  const range = sure === found.length ? `${sure}` : `${sure} to ${found.length}`;
  expect.true(`${where}: Pagination-Count`, count >= sure && count <= found.length, count, range);
  expect.equal(`${where}: records`, items.length, Math.max(0, Math.min(limit, count - page * limit)));
  expect.equal(`${where}: different ids`, new Set(items.map(keyOf)).size, items.length);
  compareOrder(where, items);
  if (sure === found.length) compareSlice(where, items, found.slice(page * limit, (page + 1) * limit));
  else compareMembers(where, items, found);
}

const keyOf = ({ id, properties }: Item): string => `${properties.type ?? ""} ${id}`;

function compareOrder(where: string, items: readonly Item[]): void {
  for (let i = 1; i < items.length; i++) {
    const [before, after] = [items[i - 1], items[i]];
    if (!before || !after) continue;
    const step = metersOf(after) - metersOf(before) || compareIds(after.id, before.id);
    expect.true(
      `${where}: order at ${i}`,
      step >= 0,
      [describeItem(before), describeItem(after)],
      "distance, then id by bytes",
    );
  }
}

const metersOf = ({ properties }: Item): number => numberAt(properties, "ext_distance") ?? 0;
const describeItem = (item: Item): string => `${item.id} at ${item.properties.ext_distance ?? "no distance"}`;

/** Compares by position. Rows that differ by rounding may be swapped. */
function compareSlice(where: string, items: readonly Item[], slice: readonly Found[]): void {
  const byId = new Map(slice.map((found) => [found.row.id, found]));
  for (const [i, item] of items.entries()) {
    const expected = slice[i];
    const isSame = item.id === expected?.row.id;
    const own = isSame ? expected : byId.get(item.id);
    compareDistance(where, item, own ?? expected);
    if (isSame) continue;
    const apart = Math.abs((expected?.meters ?? 0) - metersOf(item));
    const isTie = expected?.meters !== undefined && apart <= TOLERANCE_METERS;
    expect.true(
      `${where}: record ${i}`,
      isTie,
      describeItem(item),
      `${expected?.row.id} at ${expected?.meters ?? "no distance"}`,
    );
  }
}

function compareDistance(where: string, item: Item, found: Found | undefined): void {
  const shown = numberAt(item.properties, "ext_distance");
  if (found?.meters === undefined) {
    expect.equal(`${where}: ext_distance of ${item.id} without a circle`, shown, undefined);
    return;
  }
  const isNear = shown !== undefined && Math.abs(shown - found.meters) <= TOLERANCE_METERS;
  expect.true(`${where}: ext_distance of ${item.id}`, isNear, shown, `${found.meters} within 1 mm`);
  expect.true(
    `${where}: ext_distance of ${item.id}`,
    /^\d+(\.\d{1,3})?$/.test(String(shown)),
    shown,
    "whole millimetres",
  );
}

/** If some rows are undecided, positions are unknown: each row must be one of the expected. */
function compareMembers(where: string, items: readonly Item[], found: readonly Found[]): void {
  const byId = new Map(found.map((each) => [each.row.id, each]));
  for (const item of items) {
    const own = byId.get(item.id);
    expect.true(`${where}: record`, own !== undefined, describeItem(item), "one that matches");
    compareDistance(where, item, own);
  }
}
