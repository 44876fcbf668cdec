/**
 * Suggests addresses. Posting lists identify the rows with the words of a street and a number. Where they are too
 * long, segments give the course of the street, points the addresses along it, and a few of their records the number.
 * @module
 */
import { addressLine } from "../../../data/format/address-line.ts";
import { type RecordRef, readAddressed } from "../store/addressed-rows.ts";
import { readNumbered } from "../store/numbered-rows.ts";
import type { RowRef } from "../store/rows.ts";
import type { Session } from "../store/session.ts";
import type { RowNumbers } from "../terms/posting-lists.ts";
import { listAddresses } from "./address-lists.ts";
import {
  type AddressReading,
  type AddressRow,
  type AddressText,
  addressFit,
  houseValue,
  normalNumber,
  numbersOf,
  shownStreet,
} from "./address-words.ts";
import { segmentsNamed, streetNamesIn } from "./find-street.ts";
import { searchHouses } from "./house-search.ts";
import { agreesWithRegion } from "./regions.ts";
import { isWithin, type Scope } from "./scope.ts";
import { mayHaveAddresses, openStreet, type StreetHouse } from "./street-houses.ts";
import type { Meaning } from "./suggestion.ts";

/** Limits on rows read at one point to find a unit, and on points around it. */
const MOST_UNITS = 24;
const UNIT_HOUSES = 16;

/** Limit on rows with street and number, a block of 2 KB each. */
const MOST_LISTED = 12;
const MOST_HOUSES = 3;

const NEIGHBOURS = 2;
const NEAR_NUMBERS = 20;

/** The second neighbour is ranked behind the first, wherever the user is. */
const FARTHER = 0.4;

/** Penalty for one of several numbers of a row, such as `7` of `5-7`. */
const ONE_OF_SEVERAL = 0.05;

/** Below this match of the name, the number may belong to another street. */
const SURE = 0.75;

export interface AddressQuery extends Scope {
  readonly text: AddressText;
  /** Whether all words are of the street name, and none names the location. */
  readonly isWhole: boolean;
  /** Words that name the location of the street. */
  readonly named: readonly string[];
  /** Whether also streets are looked for that no segment names. */
  readonly areUnnamed?: boolean;
}

export interface FoundAddress {
  readonly suggestion: Meaning;
  /** How well the words match, at most 1. */
  readonly fit: number;
}

interface StreetRow {
  readonly ref: RowRef;
  readonly row: AddressRow;
  readonly fit: number;
  /** How well the street name matches, without the location. */
  readonly nameFit: number;
  /** Words of the text that it does not contain. */
  readonly unused: readonly string[];
  readonly isExact: boolean;
}

interface FoundRow extends StreetRow {
  readonly house: StreetHouse;
}

/**
 * Returns addresses with the number and street of the text, best first. Without such an address, those with the nearest numbers
 * of the street.
 */
export async function suggestAddresses(session: Session, query: AddressQuery): Promise<FoundAddress[]> {
  const { country, text, words, isWhole } = query;
  const [reading] = text.readings;
  if (!reading || !mayHaveAddresses(session, query)) return [];
  const wanted = houseValue(reading.number);
  for (const name of streetNamesIn(words, { isWhole, part: text.part })) {
    const segments = query.areUnnamed ? undefined : await segmentsNamed(session, country, name);
    if (segments?.length === 0) continue;
    const listed = await findListed(session, { ...query, name, wanted });
    const found = listed ?? (segments ? await findHouses(session, segments, { ...query, wanted }) : []);
    if (found.length === 0) continue;
    const exact = found.filter(({ isExact }) => isExact);
    if (exact.length > 0) return unique(exact, query, "exact");
    return neighboursOf(found, wanted, query);
  }
  return [];
}

/** Returns those of the rows that have the number and street of the text, best first. */
export function addressesAmong(refs: readonly RowRef[], query: AddressQuery): FoundAddress[] {
  const found = rowsOf(refs, query).flatMap((row) => (row?.isExact ? [row] : []));
  return unique(found, query, "exact");
}

/** The neighbours of the number among the rows read, unless they are far from it. */
function neighboursOf(found: readonly StreetRow[], wanted: number, query: AddressQuery): FoundAddress[] {
  const away = ({ row }: StreetRow) => Math.abs(houseValue(row.number) - wanted);
  const near = ofBest(found, ({ fit }) => fit).filter((one) => away(one) <= mostAway(wanted));
  const shown = unique(
    near.sort((a, b) => away(a) - away(b)),
    query,
    "near-number",
  );
  return shown.slice(0, NEIGHBOURS).map(({ suggestion, fit }, rank) => ({ suggestion, fit: fit - FARTHER * rank }));
}

function mostAway(wanted: number): number {
  return Math.max(NEAR_NUMBERS, wanted / 10);
}

/**
 * Rows of the street from posting lists: those with the number, otherwise the nearest ones; undefined when lists
 * cannot be used.
 */
async function findListed(
  session: Session,
  query: AddressQuery & { readonly name: readonly string[]; readonly wanted: number },
): Promise<StreetRow[] | undefined> {
  const lists = await listAddresses(session, query);
  if (!lists) return undefined;
  const read = async (rows: ArrayLike<number>) =>
    rowsOf(await readNumbered(session, "address", rows), query).filter((row) => row !== undefined);
  for (let index = 0; index < lists.numbers; index++) {
    const rows = await lists.exact(index, MOST_LISTED);
    const step = Math.max(1, rows.length / MOST_LISTED);
    const found = await read(rows.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step)));
    const exact = found.filter(({ isExact }) => isExact);
    // many rows may be in many towns; but the units of one or two houses are acceptable
    const houses = new Set(exact.map(({ row }) => `${row.street} ${row.number} ${row.postcode}`));
    if (step > 1 && houses.size > MOST_HOUSES) return undefined;
    if (exact.length > 0) return found;
  }
  return read(await lists.near(mostAway(query.wanted)));
}

/** Rows of the street that were read while searching for the number. */
async function findHouses(
  session: Session,
  segments: RowNumbers,
  query: AddressQuery & { readonly wanted: number },
): Promise<readonly FoundRow[]> {
  const { housesAt } = openStreet(session, query, segments);
  const found: FoundRow[] = [];
  const read = async (houses: readonly StreetHouse[]) => {
    found.push(...(await readHouses(session, houses, query)));
    if (found.some(({ isExact, nameFit }) => isExact && nameFit >= SURE)) return undefined;
    return ofBest(found, ({ nameFit }) => nameFit).map(({ house: { x, y }, row }) => ({
      x,
      y,
      value: houseValue(row.number),
    }));
  };
  await searchHouses({ wanted: query.wanted, housesAt, read });
  // each unit may have its own point near the others
  const [exact] = found.filter((one) => mayBeUnit(one, query));
  if (!exact || found.some((one) => one.isExact && hasUnit(one.row, query.text))) return found;
  const away = ({ x, y }: StreetHouse) => Math.hypot(x - exact.house.x, y - exact.house.y);
  const around = (await housesAt(exact.house)).toSorted((a, b) => away(a) - away(b)).slice(0, UNIT_HOUSES);
  return [...found, ...(await readHouses(session, around, query))];
}

function hasUnit({ unit }: AddressRow, { numbers }: AddressText): boolean {
  return unit !== "" && numbers.includes(normalNumber(unit.replace(/^\D+/, "")));
}

function ofBest<R extends StreetRow>(found: readonly R[], fitOf: (one: R) => number): R[] {
  const best = Math.max(...found.map(fitOf));
  return found.filter((one) => fitOf(one) === best);
}

/** Reads a row of each house, and the others of a house with the number: one may be the unit. */
async function readHouses(session: Session, houses: readonly StreetHouse[], query: AddressQuery): Promise<FoundRow[]> {
  const read = async (records: readonly RecordRef[]) => rowsOf(await readAddressed(session, "address", records), query);
  const firsts = await read(houses.flatMap(({ rows }) => rows.slice(0, 1)));
  const found = await Promise.all(
    houses.map(async (house, index) => {
      const first = firsts[index];
      const others = first && mayBeUnit(first, query) ? await read(house.rows.slice(1, MOST_UNITS)) : [];
      return [first, ...others].flatMap((one) => (one ? [{ ...one, house }] : []));
    }),
  );
  return found.flat();
}

/** Whether the text has another number, which may be the unit. */
function mayBeUnit({ row, isExact }: StreetRow, { text }: AddressQuery): boolean {
  const others = text.numbers.filter((number) => number !== row.postcode && !normalNumber(row.number).includes(number));
  return isExact && others.length > 0;
}

function rowsOf(refs: readonly RowRef[], { text, named, division }: AddressQuery): (StreetRow | undefined)[] {
  return refs.map((ref) => {
    const [lon = 0, , , lat = 0] = ref.rows.bbox(ref.row);
    if (division && division.kind !== "country" && !isWithin(division, { lon, lat })) return undefined;
    const row = addressAt(ref);
    if (Number.isNaN(houseValue(row.number))) return undefined;
    let best: StreetRow | undefined;
    const others = text.regions.filter((region) => !agreesWithRegion(region, ref.rows.country, row.places));
    const otherWords = others.flatMap((region) => region.split(" "));
    for (const { rest, numberWords, isExact, loss } of readingsOf(text, row)) {
      const fit = addressFit(row, [...rest, ...otherWords], named);
      if (!fit) continue;
      const whole = fit.name - fit.others - loss;
      if (!best || (isExact && !best.isExact) || whole > best.fit) {
        const unused = [...(isExact ? [] : numberWords), ...fit.unused, ...text.extras];
        best = { ref, row, fit: whole, nameFit: fit.name, unused, isExact };
      }
    }
    return best;
  });
}

/** The readings with the number of the row; otherwise the most likely. */
function readingsOf({ readings }: AddressText, { number }: AddressRow) {
  const [whole, ...others] = numbersOf(number);
  const having = readings.flatMap((reading: AddressReading) => {
    if (reading.number === whole) return [{ ...reading, isExact: true, loss: 0 }];
    return others.includes(reading.number) ? [{ ...reading, isExact: true, loss: ONE_OF_SEVERAL }] : [];
  });
  return having.length > 0 ? having : readings.map((reading) => ({ ...reading, isExact: false, loss: 0 }));
}

function addressAt({ rows, row }: RowRef): AddressRow {
  const textAt = (name: string) => String(rows.column(name)?.read(row) ?? "");
  const levels = (rows.column("address_levels")?.read(row) ?? []) as readonly ({ value?: string } | null)[];
  const places = [textAt("postal_city"), ...levels.map((level) => level?.value ?? "").reverse()];
  return {
    street: textAt("street"),
    number: textAt("number"),
    unit: textAt("unit"),
    postcode: textAt("postcode"),
    places: places.filter((place) => place !== ""),
  };
}

/** As suggestions without duplicates in display, best first. */
function unique(found: readonly StreetRow[], query: AddressQuery, match: "exact" | "near-number"): FoundAddress[] {
  const order =
    match === "exact" ? found.toSorted((a, b) => b.fit - a.fit || a.row.unit.length - b.row.unit.length) : found;
  const shown = new Map<string, FoundAddress>();
  for (const one of order) {
    const suggestion = suggestionOf(one, query, match);
    const key = `${suggestion.name} ${suggestion.detail}`;
    if (!shown.has(key)) shown.set(key, { suggestion, fit: one.fit });
  }
  return [...shown.values()];
}

function suggestionOf(
  { ref, row, unused }: StreetRow,
  { division, text }: AddressQuery,
  match: "exact" | "near-number",
): Meaning {
  const [lon, lat] = ref.rows.bbox(ref.row);
  const { country } = ref.rows;
  const line = addressLine(country, shownStreet(row.street), row.number) ?? "";
  const [town = ""] = row.places;
  return {
    kind: "address",
    collection: "address",
    id: ref.rows.id(ref.row),
    name: hasUnit(row, text) ? `${line}, ${row.unit}` : line,
    detail: [shownStreet(town), row.postcode].filter(Boolean).join(" "),
    ...{ country, lon, lat, match },
    ...(division ? { within: division.name } : {}),
    unused,
  };
}
