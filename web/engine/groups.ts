/**
 * Counts of rows by what they have in common.
 * @module
 */
import { compareIds } from "../../data/format/ids.ts";
import type { JsonReader } from "./arrow/json-reader.ts";
import type { Group, Grouping, Json } from "./contract/query.ts";
import type { RowRef, Rows } from "./store/rows.ts";
import { inTurn } from "./tasks/in-turn.ts";

/** Rows counted before the thread may be let go: some milliseconds. */
const ROWS_AT_A_TIME = 1000;

interface Columns {
  readonly brand: JsonReader;
  readonly categories: JsonReader;
}

interface Brand {
  readonly key: string;
  readonly name: string;
  /** Empty where there is none. */
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

/** The rows counted by brand, primary category or country: most rows first, then by name, then by Wikidata item. Rows without one are in no group. */
export async function groupRows(refs: readonly RowRef[], by: Grouping): Promise<Group[]> {
  const groups = new Map<string, Counted>();
  const columns = new Map<Rows, Columns>();
  for (let start = 0; start < refs.length; start += ROWS_AT_A_TIME) {
    await inTurn(() => countRows(refs.slice(start, start + ROWS_AT_A_TIME), by, { groups, columns }));
  }
  return [...groups.values()]
    .sort((a, b) => b.rows - a.rows || compareIds(a.name, b.name) || compareIds(a.wikidata, b.wikidata))
    .map(({ value, rows, brands }) => ({ value, rows, brands: brands.size }));
}

interface Counts {
  readonly groups: Map<string, Counted>;
  readonly columns: Map<Rows, Columns>;
}

function countRows(refs: readonly RowRef[], by: Grouping, { groups, columns }: Counts): void {
  for (const { rows, row } of refs) {
    const read = columns.get(rows) ?? columnsOf(rows);
    columns.set(rows, read);
    const brand = brandOf(read.brand(row));
    const found = by === "brand" ? brand : keyOf(by === "country" ? rows.country : categoryOf(read.categories(row)));
    if (!found) continue;
    const group = groups.get(found.key) ?? { ...found, rows: 0, brands: new Set() };
    groups.set(found.key, group);
    group.rows++;
    if (brand) group.brands.add(brand.key);
  }
}

function columnsOf(rows: Rows): Columns {
  const reader = (name: string): JsonReader => {
    return rows.column(name)?.read ?? (() => null);
  };
  return { brand: reader("brand"), categories: reader("categories") };
}

function keyOf(value: string | undefined): (Omit<Brand, "value"> & { value: string }) | undefined {
  return value === undefined ? undefined : { key: value, name: value, wikidata: "", value };
}

/** A brand is its Wikidata item and its primary name; what has neither is none. */
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
