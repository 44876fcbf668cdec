/**
 * Counts of rows by a common value.
 * @module
 */
import { compareIds } from "../../data/format/ids.ts";
import { spellRank } from "../../data/format/lookup.ts";
import { ALL_COUNTRIES, type CountRunName, type TermNode } from "../../data/format/manifest.ts";
import type { Group, Grouping, GroupResult, Json, Query } from "./contract/query.ts";
import { type RowRef, readerOf } from "./store/rows.ts";
import type { Session } from "./store/session.ts";
import { eachInTurn } from "./tasks/in-turn.ts";
import { postingRange } from "./terms/term-index.ts";

interface Brand {
  readonly key: string;
  readonly name: string;
  /** Empty if unknown. */
  readonly wikidata: string;
  readonly value: { readonly [key: string]: Json };
}

interface Counted {
  readonly name: string;
  readonly wikidata: string;
  readonly value: Json;
  rows: number;
  readonly brands: Set<string>;
}

/**
 * Counts the rows by brand, primary category or country: largest group first, then by name, then by Wikidata item. Rows without a
 * value are in no group.
 */
export async function groupRows(refs: readonly RowRef[], by: Grouping): Promise<Group[]> {
  const groups = new Map<string, Counted>();
  const brandAt = readerOf((rows) => rows.column("brand")?.read);
  const categoriesAt = readerOf((rows) => rows.column("categories")?.read);
  await eachInTurn(refs, (ref) => {
    const brand = brandOf(brandAt(ref) ?? null);
    const value = by === "country" ? ref.rows.country : categoryOf(categoriesAt(ref) ?? null);
    const found = by === "brand" ? brand : keyOf(value);
    if (!found) return;
    const group = groups.get(found.key) ?? { ...found, rows: 0, brands: new Set() };
    groups.set(found.key, group);
    group.rows++;
    if (brand) group.brands.add(brand.key);
  });
  return [...groups.values()]
    .sort((a, b) => b.rows - a.rows || compareIds(a.name, b.name) || compareIds(a.wikidata, b.wikidata))
    .map(({ value, rows, brands }) => ({ value, rows, brands: brands.size }));
}

function keyOf(value: string | undefined): (Omit<Brand, "value"> & { value: string }) | undefined {
  return value === undefined ? undefined : { key: value, name: value, wikidata: "", value };
}

/** A brand is its Wikidata item and its primary name; undefined without both. */
function brandOf(value: Json): Brand | undefined {
  const wikidata = memberOf(value, "wikidata");
  const names = memberOf(value, "names");
  const primary = memberOf(names, "primary");
  if (wikidata === undefined && primary === undefined) return undefined;
  const name = typeof primary === "string" ? primary : "";
  const shown = { ...(names === undefined ? {} : { names }), ...(wikidata === undefined ? {} : { wikidata }) };
  return { key: JSON.stringify([wikidata ?? null, name]), name, wikidata: String(wikidata ?? ""), value: shown };
}

function categoryOf(value: Json): string | undefined {
  const primary = memberOf(value, "primary");
  return typeof primary === "string" ? primary : undefined;
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return (value as Readonly<Record<string, Json>>)[name];
}

const RUNS: Readonly<Record<Grouping, CountRunName>> = {
  brand: "count_brand",
  category: "count_category",
  country: "count_country",
};

/**
 * Returns the page of groups from stored counts. Undefined if the dataset has none, or if the query has filters, a circle, an
 * area, several countries or several collections.
 */
export async function readCounts(
  session: Session,
  { collections, circle, area, filters, country = ALL_COUNTRIES, offset, limit }: Query,
  by: Grouping,
): Promise<GroupResult | undefined> {
  const [collection] = collections;
  const name = RUNS[by];
  if (typeof country !== "string" || circle || area || filters || collection === undefined || collections.length > 1)
    return undefined;
  if (!session.manifest.collections[collection]?.runs[name]) return undefined;
  const run = { session, collection, run: name, country: by === "country" ? ALL_COUNTRIES : country };
  const { partitions } = await postingRange(run, { first: spellRank(0), last: LAST_RANK });
  const isOne = by === "country" && country !== ALL_COUNTRIES;
  const wanted = isOne
    ? partitions
    : partitions.filter((node) => rankOf(node) < offset + limit && rankOf(node) + node.rows > offset);
  const groups: Group[] = [];
  for (const node of wanted) {
    const { value, rows, brands } = await session.readTable({ collection, run: name, node }, [
      "value",
      "rows",
      "brands",
    ]);
    for (let row = 0; row < node.rows; row++) {
      groups.push({ value: value?.[row] ?? null, rows: Number(rows?.[row]), brands: Number(brands?.[row]) });
    }
  }
  if (isOne) {
    const own = groups.filter((group) => group.value === country);
    return { total: own.length, groups: own.slice(offset, offset + limit) };
  }
  const [first] = wanted;
  const skipped = first ? rankOf(first) : 0;
  return {
    total: partitions.reduce((sum, { rows }) => sum + rows, 0),
    groups: groups.slice(offset - skipped, offset - skipped + limit),
  };
}

function rankOf({ first_term: rank }: TermNode): number {
  return Number(rank);
}

const LAST_RANK = "9".repeat(spellRank(0).length);
