/**
 * `includes` keeps the listed `properties` unchanged, and the id.
 * @module
 */
import { type Check, check, type Kit } from "../check.ts";
import { type Item, itemsOf, type Query } from "../client.ts";
import { expect, NotApplicable } from "../expect.ts";
import type { Json } from "../json.ts";
import type { Oracle } from "../oracle.ts";
import { SEARCH_PATHS, type SearchPath, titleOf } from "../paths.ts";
import type { SourceRow } from "../source-rows.ts";
import { searchFor } from "./shape.ts";

const SEARCH: readonly (readonly [string, string])[] = [
  ["lat", "43.735"],
  ["lng", "7.42"],
  ["limit", "60"],
];

/** Ways to send a list of names. */
const SPELLINGS: readonly (readonly [how: string, sent: readonly string[], kept: readonly string[]])[] = [
  ["one name", ["sources"], ["sources"]],
  ["a comma-separated list", ["sources,version,ext_distance"], ["sources", "version", "ext_distance"]],
  ["a repeated parameter", ["sources", "version"], ["sources", "version"]],
  ["commas and repetition", ["sources,type", "version"], ["sources", "type", "version"]],
  ["unknown names among others", ["nonsense,sources", "__proto__"], ["sources"]],
  ["unknown names alone", ["nonsense"], []],
  ["the same name twice", ["version,version", "version"], ["version"]],
];

/** Makes the checks of `includes`. */
export function includesChecks(oracle: Oracle): Check[] {
  return SEARCH_PATHS.flatMap((path) => [
    ...SPELLINGS.map(([how, sent, kept]) =>
      check(`${titleOf(path.path)}: includes as ${how}`, async (kit) => {
        const whole = await itemsFor(kit, path, SEARCH);
        for (const name of ["includes", "includes[]"]) {
          const query: Query = [...SEARCH, ...sent.map((names): [string, string] => [name, names])];
          expectKept(await itemsFor(kit, path, query), whole, kept);
        }
      }),
    ),
    check(`${titleOf(path.path)}: includes leaves values that are 0, false or "" as they are`, async (kit) =>
      falsyValues(kit, path, oracle),
    ),
  ]);
}

async function itemsFor({ client }: Kit, { path }: SearchPath, query: Query): Promise<Item[]> {
  return itemsOf(await client.get(path, query));
}

function expectKept(items: readonly Item[], whole: readonly Item[], kept: readonly string[]): void {
  expect.equal("ids", items.map(({ id }) => id).join(), whole.map(({ id }) => id).join());
  for (const [i, { id, properties, geometry }] of items.entries()) {
    const all = whole[i];
    const expected = Object.entries(all?.properties ?? {}).filter(([name]) => name === "id" || kept.includes(name));
    expect.same(`${id}: properties`, properties, Object.fromEntries(expected));
    expect.same(`${id}: geometry`, geometry, all?.geometry);
  }
}

async function falsyValues(kit: Kit, path: SearchPath, oracle: Oracle): Promise<void> {
  const found = new Map<string, SourceRow>();
  for (const row of oracle.served(path, path.choices ? { types: path.choices.join(",") } : {}))
    for (const [name, value] of Object.entries(row.properties))
      if (isFalsy(value) && !found.has(name)) found.set(name, row);
  if (found.size === 0) throw new NotApplicable("the sources have no such value");
  for (const [name, row] of found) {
    const items = await itemsFor(kit, path, { ...searchFor(row, path), includes: name });
    const item = items.find(({ id }) => id === row.id);
    expect.same(`${row.id}: properties`, item?.properties, { id: row.id, [name]: row.properties[name] ?? null });
  }
}

/** Empty lists also stay. */
const isFalsy = (value: Json): boolean =>
  value === 0 || value === false || value === "" || (Array.isArray(value) && value.length === 0);
