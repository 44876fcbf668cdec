/**
 * What a person may mean by the text in the search box, and what choosing it does.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import { isSearchable } from "../../../data/format/fold.ts";
import type { Feature, Json } from "../../engine/query.ts";
import type { Suggestion } from "../../engine/suggestion.ts";
import { language } from "../text/text.ts";
import { chosenPlace } from "./chosen-place.ts";
import { remote } from "./engine.ts";
import { filtersOf } from "./filters.ts";
import { type Centre, PATHS } from "./search.ts";
import { changeSearch, draft, found, pageState } from "./session.ts";

export type Choice =
  | { readonly kind: "point"; readonly centre: Centre }
  | { readonly kind: "record"; readonly id: string }
  | { readonly kind: "found"; readonly suggestion: Suggestion }
  /** Search for records with this name. */
  | { readonly kind: "name"; readonly name: string };

/** Fits a small telephone with the keyboard out. */
const LIMIT = 7;
/** A town whose outline is not known is searched this far; one that is, within these bounds. */
const TOWN_RADIUS_METERS = 3000;
const MIN_RADIUS_METERS = 500;
const MAX_RADIUS_METERS = 50_000;
const METERS_PER_DEGREE = 111_195;

/** What the text itself says, without asking the dataset. */
export function choicesIn(text: string): readonly Choice[] {
  const centre = parsePoint(text);
  if (centre) return [{ kind: "point", centre }];
  return isRecordId(text) ? [{ kind: "record", id: text.trim().toLowerCase() }] : [];
}

/** All that the text may mean, best first. Free text comes last. */
export async function choicesFor(text: string, signal: AbortSignal): Promise<readonly Choice[]> {
  const name = text.trim();
  const own = choicesIn(name);
  if (own.length > 0 || name === "") return own;
  const near = draft.peek().centre ?? pageState.peek().view;
  const query = {
    text: name,
    country: presentCountry(),
    near: near && { lat: near.lat, lng: near.lon },
    language: language.peek(),
    limit: LIMIT,
  };
  // What cannot be suggested can still be searched for: the search then says what is wrong.
  const suggestions = await remote("suggest", query, signal).catch(() => []);
  return [
    ...suggestions.map((suggestion) => ({ kind: "found", suggestion }) as const),
    ...(isSearchable(name) ? [{ kind: "name", name } as const] : []),
  ];
}

/** Does what was chosen; resolves to false when there is no such record. */
export async function choose(choice: Choice): Promise<boolean> {
  switch (choice.kind) {
    case "point":
      goTo(choice.centre, undefined);
      return true;
    case "record":
      return openRecord(choice.id);
    case "name":
      searchByName(choice.name);
      return true;
    case "found":
      followSuggestion(choice.suggestion);
      return true;
  }
}

/** The radius that holds most of a box around its middle, in round numbers. */
export function radiusOf(bbox: BBox | undefined): number {
  if (!bbox) return TOWN_RADIUS_METERS;
  const [west, south, east, north] = bbox;
  const width = (east < west ? east - west + 360 : east - west) * Math.cos((((south + north) / 2) * Math.PI) / 180);
  const meters = (Math.max(width, north - south) / 2) * METERS_PER_DEGREE;
  const rounded = Number(meters.toPrecision(1));
  return Math.min(MAX_RADIUS_METERS, Math.max(MIN_RADIUS_METERS, rounded));
}

/** Latitude and longitude as people write them: `40.01, -105.27` or `40.01° N 105.27° W`. */
export function parsePoint(text: string): Centre | undefined {
  const match = /^\s*([+-]?\d+(?:\.\d+)?)\s*°?\s*([NS])?\s*[,;\s]\s*([+-]?\d+(?:\.\d+)?)\s*°?\s*([EW])?\s*$/i.exec(
    text,
  );
  if (!match) return undefined;
  const [, latText, northSouth = "N", lonText, eastWest = "E"] = match;
  const lat = Number(latText) * (northSouth.toUpperCase() === "S" ? -1 : 1);
  const lon = Number(lonText) * (eastWest.toUpperCase() === "W" ? -1 : 1);
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lon, lat } : undefined;
}

/** Whether the text has the form of an id of Overture's: a UUID, or 32 hexadecimal digits. */
function isRecordId(text: string): boolean {
  return /^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(text.trim());
}

function followSuggestion({ kind, collection, id, name, country, lng, lat, bbox }: Suggestion): void {
  if (kind === "place" || kind === "street") location.hash = `#/${collection}/${encodeURIComponent(id)}`;
  else if (kind === "division") goTo({ lon: lng, lat }, name, bbox);
  else {
    chosenPlace.value = { name, isReader: false, centre: undefined, country, bbox };
    changeSearch({ centre: undefined, country, filters: withoutName() });
  }
}

function goTo(centre: Centre, name: string | undefined, bbox?: BBox): void {
  if (name === undefined) chosenPlace.value = undefined;
  else chosenPlace.value = { name, isReader: false, centre, country: undefined, bbox };
  const radius = name === undefined ? {} : { radiusMeters: radiusOf(bbox) };
  changeSearch({ centre, country: undefined, filters: withoutName(), ...radius });
}

/** Records with this name where the present search is; with no place chosen yet, divisions all over the world. */
function searchByName(name: string): void {
  const { path, centre, country, filters } = draft.peek();
  const isPlaced = centre !== undefined || country !== undefined;
  const named = filtersOf(path).includes("name") ? path : "places";
  changeSearch({ path: isPlaced ? named : "divisions", filters: { ...filters, name } });
}

function withoutName() {
  const { name: _, ...filters } = draft.peek().filters;
  return filters;
}

/** Looks for the record in all types. */
async function openRecord(id: string): Promise<boolean> {
  const answers = await Promise.all(PATHS.map((path) => remote("ask", `${path}/${id}`)));
  const answer = answers.find(({ status }) => status === 200);
  if (!answer) return false;
  location.hash = `#/${String((answer.body as Feature).properties.type)}/${id}`;
  return true;
}

/** Where places and streets are suggested: the chosen country, else that of the nearest record. */
function presentCountry(): string | undefined {
  const { country } = draft.peek();
  if (country !== undefined) return country;
  const properties = found.peek()?.records[0]?.properties ?? {};
  const [address] = (properties.addresses ?? []) as readonly { readonly country?: Json }[];
  const known = address?.country ?? properties.country;
  return typeof known === "string" ? known : undefined;
}
