/**
 * Suggestions from saved areas on the device, when lists of names cannot be read: places, streets, addresses and
 * areas of divisions.
 * @module
 */
import { addressLine } from "../../../data/format/address-line.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { foldText, queryTermsOf } from "../../../data/format/fold.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import { readStoredGeometry } from "../../../data/format/stored-geometry.ts";
import { FetchError } from "../contract/errors.ts";
import type { Circle, Json, Query } from "../contract/query.ts";
import type { RowRef } from "../store/rows.ts";
import type { Session } from "../store/session.ts";
import { type AddressText, addressTextOf, houseValue } from "./address-words.ts";
import { type CategoryWords, isCalled } from "./category-names.ts";
import { withoutCountry } from "./country-names.ts";
import type { Intents } from "./intents.ts";
import type { Point } from "./scope.ts";
import { addressScore, divisionScore, localScore } from "./score.ts";
import { isTelling, otherForms } from "./street-words.ts";
import { addressesAmong } from "./suggest-addresses.ts";
import { type CategoryRows, categoryRows, suggestCategories } from "./suggest-categories.ts";
import { foundAt } from "./suggest-local.ts";
import { bestMatch, boxOf, type Meaning, type Names, nameOf, type Scored } from "./suggestion.ts";

export type SearchRows = (query: Query) => Promise<readonly RowRef[]>;

/** A circle for which all rows of these collections are stored on the device. */
export interface HeldCircle {
  readonly circle: Circle;
  readonly collections: readonly CollectionName[];
}

export interface HeldQuery {
  readonly text: string;
  readonly near?: Point | undefined;
  readonly language?: string | undefined;
  readonly limit: number;
  readonly categories?: boolean | undefined;
  readonly categoryWords?: readonly CategoryWords[] | undefined;
  readonly intents?: Intents | undefined;
}

const LOOKED_AT: readonly CollectionName[] = ["place", "segment", "address", "division_area"];

/** Limit on rows per circle, nearest to its centre. */
const MOST_ROWS = 50;

/** Returns what matches all the words inside the circles, best first. Undefined when no circle can be read. */
export async function suggestHeld(
  session: Session,
  query: HeldQuery,
  { held, search }: { readonly held: readonly HeldCircle[]; readonly search: SearchRows },
): Promise<readonly Scored[] | undefined> {
  const words = queryTermsOf(query.text);
  const tables = query.categoryWords ?? [];
  const known = new Set(tables.flatMap((table) => Object.keys(table)));
  // without counts the number of rows is unknown
  const called = Array.from(known, (id) => categoryRows(id, tables, 0));
  // without category names only the ids are known
  const own = [words.join("_"), ...words];
  const named = words.map((word) => [`name:${word}`]);
  const orCategory = words.map((word, at) => {
    const isMeant = isCalled(word, { isWhole: false });
    const having = called.filter((category) => isMeant(category.called));
    const ids = new Set([
      ...having.map(({ id }) => id),
      ...own.filter((id) => id.split("_").includes(words[at] ?? "")),
    ]);
    return [...(named[at] ?? []), ...Array.from(ids, (id) => `category:${id}`)];
  });
  const countries = Object.keys(session.manifest.collections.address?.countries ?? {});
  const stated = withoutCountry(query.text, { language: query.language, countries });
  const address = addressTextOf(stated?.text ?? query.text);
  const termsOf = (collection: CollectionName) => {
    if (collection === "place") return orCategory;
    return collection === "address" && address ? addressTerms(address) : named;
  };
  const searches = held.flatMap(({ circle, collections }) =>
    LOOKED_AT.filter((name) => collections.includes(name)).map(async (collection) => {
      const filters = { terms: termsOf(collection) };
      return search({ collections: [collection], circle, filters, offset: 0, limit: MOST_ROWS });
    }),
  );
  const ended = await Promise.allSettled(searches);
  for (const each of ended) {
    if (each.status === "rejected" && (!(each.reason instanceof FetchError) || session.signal.aborted))
      throw each.reason;
  }
  const lists = ended.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  if (lists.length === 0) return undefined;
  const isHouse = ({ rows: { collection } }: RowRef) => address !== undefined && collection === "address";
  const isThere = (ref: RowRef) => !isHouse(ref) || !stated || ref.rows.country === stated.country;
  const rows = lists.flat().filter(isThere);
  const found = [
    ...rows.filter((ref) => !isHouse(ref)).flatMap((ref) => scoredAt(ref, { ...query, words, called }) ?? []),
    ...(address ? housesAmong(rows.filter(isHouse), { ...query, words, address }) : []),
  ];
  const byLook = new Map<string, Scored>();
  for (const one of found.sort((a, b) => b.score - a.score)) {
    const { kind, id, name } = one.suggestion;
    const key = kind === "street" ? foldText(name) : id;
    if (!byLook.has(key)) byLook.set(key, one);
  }
  const [nearest] = byLook.values();
  const ids = new Set(found.flatMap(({ suggestion }) => suggestion.category ?? []));
  const having = Array.from(ids, (id) => called.find((each) => each.id === id) ?? categoryRows(id, tables, 0));
  const scope = { country: nearest?.suggestion.country ?? "", words, near: query.near };
  const point = query.near ?? nearest?.suggestion;
  const meant = query.categories && point ? suggestCategories(having, scope, { point, intents: query.intents }) : [];
  const first = meant.map((suggestion) => ({ suggestion, score: localScore({ suggestion, confidence: 1 }, scope) }));
  // a street without a number has many houses, and no single one is meant
  const isAfter = ({ suggestion }: Scored): boolean => suggestion.kind === "address" && !address;
  return [...first, ...byLook.values()].sort((a, b) => Number(isAfter(a)) - Number(isAfter(b)) || b.score - a.score);
}

/**
 * The terms to search addresses by: the likeliest number, and any word of the street. A row need not have the unit, town and
 * country as names, and other numbers may be a postcode, which has too many rows.
 */
function addressTerms({ readings, words }: AddressText): readonly (readonly string[])[] {
  const [first = ""] = readings[0]?.numberWords ?? [];
  const numbers = [...new Set([first, String(houseValue(first))])].map((number) => `name:${number}`);
  const own = words.filter(isTelling);
  const streets = (own.length > 0 ? own : words)
    .flatMap((word) => [word, ...otherForms(word)])
    .map((word) => `name:${word}`);
  return [numbers, streets];
}

function housesAmong(
  rows: readonly RowRef[],
  {
    near,
    words,
    address,
  }: Pick<HeldQuery, "near"> & { readonly words: readonly string[]; readonly address: AddressText },
): Scored[] {
  const query = { country: "", words, near, text: address, isWhole: false, named: [] };
  return addressesAmong(rows, query).map((found) => ({
    suggestion: found.suggestion,
    score: addressScore(found, near),
  }));
}

type Looked = Pick<HeldQuery, "near" | "language" | "limit"> & {
  readonly words: readonly string[];
  readonly called: readonly CategoryRows[];
};

function scoredAt(ref: RowRef, { words, near, language, limit, called }: Looked): Scored | undefined {
  const { collection, country } = ref.rows;
  const scope = { country, words, near };
  if (collection === "address") {
    const suggestion = addressAt(ref, words);
    return { suggestion, score: localScore({ suggestion, confidence: 1 }, scope) };
  }
  if (collection === "division_area") {
    const division = divisionAt(ref, words, language);
    return division && { suggestion: division, score: divisionScore({ division, population: 0 }, near) };
  }
  const kind = collection === "place" ? "place" : "street";
  const found = foundAt(ref, { ...scope, kind, language, limit, categories: called });
  return found && { suggestion: found.suggestion, score: localScore(found, scope) };
}

function columnOf({ rows, row }: RowRef, name: string): Json {
  return rows.column(name)?.read(row) ?? null;
}

function pointOf({ rows, row }: RowRef): { readonly lon: number; readonly lat: number } {
  const [lon = 0, lat = 0] = representativePoint(readStoredGeometry(rows.geometry(row))) ?? [];
  return { lon, lat };
}

/** Returns the address as a suggestion, which the words of the search match, because an address has no other name. */
function addressAt(ref: RowRef, words: readonly string[]): Meaning {
  const { collection, country, id } = ref.rows;
  const textAt = (name: string): string => String(columnOf(ref, name) ?? "");
  const levels = (columnOf(ref, "address_levels") ?? []) as readonly ({ readonly value?: string } | null)[];
  const name = addressLine(country, textAt("street"), textAt("number")) ?? "";
  const town = textAt("postal_city") || (levels.at(-1)?.value ?? "");
  return {
    kind: "address",
    collection,
    id: id(ref.row),
    name: [name, textAt("unit")].filter(Boolean).join(", "),
    detail: [town, textAt("postcode")].filter(Boolean).join(" "),
    country,
    ...pointOf(ref),
    match: bestMatch([name], words)?.match ?? "words",
  };
}

function divisionAt(ref: RowRef, words: readonly string[], language: string | undefined): Meaning | undefined {
  const { country, bbox } = ref.rows;
  const names = columnOf(ref, "names") as Names | null;
  const id = columnOf(ref, "division_id");
  if (!names || typeof id !== "string") return undefined;
  const name = nameOf(names, language);
  const best = bestMatch([name, names.primary ?? ""], words);
  return {
    kind: columnOf(ref, "subtype") === "country" ? "country" : "division",
    collection: "division",
    ...{ id, name, detail: "", country },
    ...pointOf(ref),
    ...boxOf(bbox(ref.row)),
    match: best?.match ?? "words",
  };
}
