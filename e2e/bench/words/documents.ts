/**
 * The dataset's divisions, places, streets and addresses as documents for in-memory search programs.
 * @module
 */

import { addressLine } from "../../../data/format/address-line.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { foldText, termsOf } from "../../../data/format/fold.ts";
import { metersBetween } from "../../../data/format/sphere.ts";
import { allNames, type TermColumns } from "../../../data/format/terms.ts";
import type { TypedAddress } from "../../../web/engine/testing/as-typed.ts";
import { readStoredRows } from "../../../web/engine/testing/stored-rows.ts";

export interface Point {
  readonly lon: number;
  readonly lat: number;
}

export interface Document extends Point {
  readonly id: string;
  readonly kind: "division" | "place" | "street" | "address";
  readonly country: string;
  readonly name: string;
  /** Name by language. */
  readonly common: Readonly<Record<string, string>>;
  /** Folded words of all its names; of an address, of its line and postcode. */
  readonly words: ReadonlySet<string>;
  /** Folded words of its town and country. */
  readonly around: ReadonlySet<string>;
  /** From 0 to 1: people or confidence. */
  readonly importance: number;
  readonly population: number;
  readonly categories: readonly string[];
  readonly address?: TypedAddress;
}

type Names = NonNullable<TermColumns["names"]>;

interface Row {
  readonly id: string;
  readonly country: string;
  readonly names: Names | null;
  readonly subtype?: string;
  readonly population?: number | null;
  readonly confidence?: number | null;
  readonly categories?: NonNullable<TermColumns["categories"]> | null;
  readonly street?: string | null;
  readonly number?: string | null;
  readonly postcode?: string | null;
  readonly postal_city?: string | null;
  readonly address_levels?: readonly { readonly value: string | null }[] | null;
  readonly bbox: { readonly xmin: number; readonly ymin: number; readonly xmax: number; readonly ymax: number };
}

/** Population with maximum importance, as a power of ten. */
const MOST_PEOPLE = 8;
const OF_STREET = 0.3;
const OF_ADDRESS = 0.1;

/** Reads all documents of a dataset. */
export async function readDocuments(folder: string): Promise<readonly Document[]> {
  const read = (collection: CollectionName) => readStoredRows<Row>(folder, collection);
  const [divisions, places, segments, addresses] = await Promise.all([
    read("division"),
    read("place"),
    read("segment"),
    read("address"),
  ]);
  const all = divisions.flatMap((row) => divisionOf(row));
  const countries = new Map(divisions.filter(({ subtype }) => subtype === "country").map((row) => [row.country, row]));
  const towns = new Map<string, Document[]>();
  for (const one of all) {
    if (one.population > 0) towns.set(one.country, [...(towns.get(one.country) ?? []), one]);
  }
  const around = (row: Row): ReadonlySet<string> => {
    const point = pointOf(row);
    let [best, meters]: [Document | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (const town of towns.get(row.country) ?? []) {
      const away = metersBetween(point, town);
      if (away < meters) [best, meters] = [town, away];
    }
    return new Set([...(best?.words ?? []), ...wordsOfNames(countries.get(row.country)?.names)]);
  };
  const inCountry = all.map((division): Document => {
    const own = wordsOfNames(countries.get(division.country)?.names);
    return { ...division, around: own };
  });
  const streets = new Map<string, Row>();
  for (const row of segments) {
    if (row.subtype !== "road" || !row.names?.primary) continue;
    const key = `${row.country} ${foldText(row.names.primary)}`;
    if (!streets.has(key)) streets.set(key, row);
  }
  return [
    ...inCountry,
    ...places.flatMap((row) => placeOf(row, around)),
    ...[...streets.values()].flatMap((row) => streetOf(row, around)),
    ...addresses.flatMap((row) => addressOf(row)),
  ];
}

function pointOf({ bbox }: Row): Point {
  return { lon: (bbox.xmin + bbox.xmax) / 2, lat: (bbox.ymin + bbox.ymax) / 2 };
}

function wordsOfNames(names: Names | null | undefined): Set<string> {
  return new Set(names ? allNames(names).flatMap((name) => [...termsOf(name)]) : []);
}

const NOTHING = { common: {}, around: new Set<string>(), population: 0, categories: [] };

function named(row: Row) {
  const { id, country, names } = row;
  const common = (names?.common ?? {}) as Record<string, string>;
  return { ...NOTHING, id, country, name: names?.primary ?? "", common, words: wordsOfNames(names), ...pointOf(row) };
}

function divisionOf(row: Row): Document[] {
  if (!row.names?.primary) return [];
  const population = Number(row.population ?? 0);
  const importance = Math.min(
    1,
    Math.log10(population + 1) / MOST_PEOPLE + (row.subtype === "country" ? OF_STREET : 0),
  );
  return [{ ...named(row), kind: "division", population, importance }];
}

function placeOf(row: Row, around: (row: Row) => ReadonlySet<string>): Document[] {
  if (!row.names?.primary) return [];
  const categories = [row.categories?.primary, ...(row.categories?.alternate ?? [])].filter(
    (one) => typeof one === "string",
  );
  const words = new Set([...named(row).words, ...categories.flatMap((one) => [...termsOf(one.replaceAll("_", " "))])]);
  const importance = Number(row.confidence ?? 0) / 2;
  return [{ ...named(row), kind: "place", words, around: around(row), categories, importance }];
}

function streetOf(row: Row, around: (row: Row) => ReadonlySet<string>): Document[] {
  return [{ ...named(row), kind: "street", around: around(row), importance: OF_STREET }];
}

function addressOf(row: Row): Document[] {
  const { id, country, street, number } = row;
  const line = street && number ? addressLine(country, street, number) : undefined;
  if (!street || !number || !line) return [];
  const postcode = row.postcode ?? "";
  const town = row.postal_city ?? row.address_levels?.at(-1)?.value ?? "";
  const words = new Set([...termsOf(`${line} ${postcode}`)]);
  const address = { street, number, postcode, town };
  return [
    {
      ...{ ...NOTHING, id, country, kind: "address", name: line, words, around: termsOf(town) },
      ...{ importance: OF_ADDRESS, address, ...pointOf(row) },
    },
  ];
}
