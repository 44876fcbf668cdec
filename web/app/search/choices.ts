/** What a text in the search box can mean, and what choosing a meaning does. @module */
import type { BBox } from "../../../data/format/bbox.ts";
import { isSearchable } from "../../../data/format/fold.ts";
import { radiusOf } from "../../../data/format/town-radius.ts";
import { isRecordId, mayBeCode, parsePoint } from "../../../data/typed-points/index.ts";
import type { Feature, Json, Suggestion } from "../../engine/index.ts";
import { addressOfRecord, type Centre, coordinate, formatRecordAddress, PATHS, type View } from "../address/index.ts";
import { changeSearch, chosenLocation, draft, found, kindWithNames, pageState, searchNames } from "../state/index.ts";
import { language } from "../text/index.ts";
import { remote } from "../worker/index.ts";
import { forgetSearches, type RecentSearch, recentSearches } from "./recent.ts";
import { typedText } from "./typed-text.ts";

export type Choice =
  | { readonly kind: "point"; readonly centre: Centre }
  | { readonly kind: "record"; readonly id: string }
  | { readonly kind: "found"; readonly suggestion: Suggestion }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "recent"; readonly search: RecentSearch }
  | { readonly kind: "forget" };

/** Maximum number of suggestions: they fit on a small phone with its keyboard open. */
const LIMIT = 7;
/** Radius of a search for a street. The longest streets of a town reach about this far from their middle. */
const STREET_METERS = 3000;
/** Longest wait for suggestions after Enter was pressed. Then names are searched. */
const LONGEST_WAIT_MS = 10_000;

/** Returns what the text means without the dataset: a position, a record id, or nothing. */
export function choicesIn(text: string): readonly Choice[] {
  const centre = parsePoint(text);
  if (centre) return [{ kind: "point", centre }];
  return isRecordId(text) ? [{ kind: "record", id: text.trim().toLowerCase() }] : [];
}

/** Returns what is offered before anything is typed: recent searches, and deleting them. */
export function choicesBefore(): readonly Choice[] {
  const recent = recentSearches().map((search) => ({ kind: "recent", search }) as const);
  return recent.length === 0 ? [] : [...recent, { kind: "forget" }];
}

export interface Choices {
  readonly choices: readonly Choice[];
  /** Whether all or some names could not be looked up, so that there may be more. */
  readonly missing: "all" | "some" | "none";
}

/**
 * Returns all that the text can mean, best first: suggestions, then a search for the text in names. If it is a position or an id,
 * only that.
 */
export async function choicesFor(text: string, signal: AbortSignal): Promise<Choices> {
  const name = text.trim();
  const own = choicesIn(name);
  if (own.length > 0 || name === "") return { choices: own, missing: "none" };
  const coded = await pointOf(name, signal);
  if (coded) return { choices: [{ kind: "point", centre: coded }], missing: "none" };
  const suggested = await suggestionsFor(name, { signal, isTyped: true });
  return {
    choices: [
      ...unlike(suggested?.found ?? [])
        .slice(0, LIMIT)
        .map((suggestion) => ({ kind: "found", suggestion }) as const),
      ...(isSearchable(name) ? [{ kind: "name", name } as const] : []),
    ],
    missing: suggested === undefined ? "all" : suggested.isPartial ? "some" : "none",
  };
}

/**
 * Returns the position of a code such as a plus code; undefined if the text is none. The worker reads it, because its libraries
 * are large. A short plus code is near the town after it, or near what the map shows.
 */
async function pointOf(text: string, signal: AbortSignal): Promise<Centre | undefined> {
  if (!mayBeCode(text)) return undefined;
  const read = (town?: Centre) =>
    // a text that cannot be read as a code can still be searched for
    remote("position", { text, town }, signal).catch(() => undefined);
  const found = await read();
  if (!found || "lat" in found) return found;
  const town =
    found.town === ""
      ? (draft.peek().centre ?? presentView())
      : (await suggestionsFor(found.town, { signal, isTyped: false }))?.found.find(({ unused }) => unused.length === 0);
  const beside = town && (await read({ lat: town.lat, lon: town.lon }));
  return beside && "lat" in beside ? beside : undefined;
}

/** Returns suggestions for the text; undefined if names cannot be read. A search for the text then reports the error. */
function suggestionsFor(
  text: string,
  { signal, isTyped }: { readonly signal: AbortSignal; readonly isTyped: boolean },
) {
  const { centre, country } = draft.peek();
  const query = {
    ...{ text, country, near: centre ?? presentView(), language: language.peek() },
    ...{ limit: 2 * LIMIT, categories: true, isTyped },
  };
  return remote("suggest", query, signal).catch(() => undefined);
}

/** Leaves out suggestions that look the same as an earlier one: a town is often also a district. */
function unlike(suggestions: readonly Suggestion[]): Suggestion[] {
  const shown = ({ kind, name, detail, country }: Suggestion) => JSON.stringify([kind, name, detail, country]);
  const first = new Map(suggestions.map((suggestion) => [shown(suggestion), suggestion] as const).reverse());
  return suggestions.filter((suggestion) => first.get(shown(suggestion)) === suggestion);
}

/** Does what the choice means. Resolves to false if no record has its id. Rejects if the data cannot be read. */
export async function choose(choice: Choice): Promise<boolean> {
  switch (choice.kind) {
    case "point":
      goTo(choice.centre, undefined);
      return true;
    case "record":
      return openRecord(choice.id);
    case "name":
      await searchText(choice.name);
      return true;
    case "recent":
      location.hash = choice.search.address;
      return true;
    case "forget":
      forgetSearches();
      return true;
    case "found":
      followSuggestion(choice.suggestion);
      return true;
  }
}

/** Searches what the text most likely means, and stores that in `typedText`. */
async function searchText(name: string): Promise<void> {
  const before = draft.peek().filters.categories;
  const earlier = typedText.peek()?.category;
  const ignored = await followText(name);
  const search = draft.peek();
  const { categories } = search.filters;
  const isTyped = categories !== before || categories === earlier;
  typedText.value = { text: name, ignored, search, category: isTyped ? categories : undefined };
}

/**
 * Follows the best suggestion if it uses every word and is clear enough. Otherwise searches names: in the area that some words
 * name, at the current location, or in the country nearby. Returns the words that the search ignores.
 */
async function followText(name: string): Promise<readonly string[]> {
  const { centre, area, country } = draft.peek();
  const isPlaced = [centre, area, country].some((place) => place !== undefined);
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
  const coded = await pointOf(name, signal);
  if (coded) {
    goTo(coded, undefined);
    return [];
  }
  const suggestions = (await suggestionsFor(name, { signal, isTyped: false }))?.found ?? [];
  const best = suggestions.find(({ unused }) => unused.length === 0);
  if (best && (best.kind === "category" ? isNamed(best) : best.within !== undefined || isAddress(best))) {
    followSuggestion(best);
    return [];
  }
  const partly = best ? undefined : suggestions[0];
  if (partly && isArea(partly)) {
    const rest = partly.unused.join(" ");
    followSuggestion(partly, isSearchable(rest) ? rest : undefined);
    return isSearchable(rest) ? [] : partly.unused;
  }
  if (isPlaced) {
    searchNames(name, country);
    return [];
  }
  const present = nearestCountry(suggestions) ?? (await presentCountry(signal));
  const isOneOfMany = best?.kind === "place" && suggestions.filter((each) => isCalled(each, best.name)).length > 1;
  if (best && isOneOfMany) searchNames(best.name, best.country);
  else if (best && present === undefined) followSuggestion(best);
  else if (partly && partly.kind !== "place" && partly.unused.length === 1) {
    followSuggestion(partly);
    return partly.unused;
  } else searchNames(name, present);
  return [];
}

const isAddress = ({ kind, match }: Suggestion): boolean => kind === "address" && match === "exact";
/** Whether the text is a name of the category, or says what people do there. */
const isNamed = ({ match }: Suggestion): boolean => match === "exact" || match === "intent";
const isArea = ({ kind }: Suggestion): boolean => kind === "country" || kind === "division";
const isCalled = (each: Suggestion, name: string): boolean => each.kind === "place" && each.name === name;

/** Returns the country of the nearest suggested place, street or address within 30 km; undefined without one. */
function nearestCountry(suggestions: readonly Suggestion[]): string | undefined {
  const around = suggestions
    .filter(({ kind }) => kind === "place" || kind === "street" || kind === "address")
    .flatMap(({ country, meters }) => (meters !== undefined && meters <= REACH_METERS ? [{ country, meters }] : []))
    .sort((a, b) => a.meters - b.meters);
  return around[0]?.country;
}

/** Opens or searches what is suggested. `name` is a text to find in the names of records in a suggested area. */
function followSuggestion(suggestion: Suggestion, name?: string): void {
  const { kind, id, name: shown, country, lon, lat, bbox } = suggestion;
  const at = { lon, lat };
  if (kind === "place" || kind === "address") location.hash = formatRecordAddress({ type: kind, id, at });
  else if (kind === "category") showCategory(suggestion);
  else if (kind === "street") showStreet(shown, at);
  else if (kind === "division") goTo(at, shown, { bbox, name });
  else {
    chosenLocation.value = { name: shown, isReader: false, centre: undefined, country, bbox };
    changeSearch({ centre: undefined, country, ...namedAs(name) });
  }
}

/**
 * Searches places of the category in the place that was typed with it. Without one: in the drawn area, in the chosen country,
 * around the centre of the search, or at the position of the suggestion.
 */
function showCategory({ id, within, isCountryWide, country: named, lon, lat, bbox }: Suggestion): void {
  const search = { path: "places", country: undefined, filters: { categories: id } } as const;
  if (within === undefined) {
    const { centre, area, country } = draft.peek();
    if (area !== undefined) changeSearch(search);
    else if (centre === undefined && country !== undefined) changeSearch({ ...search, country });
    else changeSearch({ ...search, centre: centre ?? { lon, lat } });
    return;
  }
  const centre = isCountryWide ? undefined : { lon, lat };
  const country = isCountryWide ? named : undefined;
  chosenLocation.value = { name: within, isReader: false, centre, country, bbox };
  changeSearch({ ...search, centre, country, ...(centre ? { radiusMeters: radiusOf(bbox) } : {}) });
}

/** Searches all segments with the name of the street, around the suggested position. */
function showStreet(name: string, centre: Centre): void {
  chosenLocation.value = { name, isReader: false, centre, country: undefined, bbox: undefined };
  const filters = { name, types: "segment" };
  changeSearch({ path: "transportation", centre, country: undefined, radiusMeters: STREET_METERS, filters });
}

interface Destination {
  readonly bbox?: BBox | undefined;
  /** Text to find in the names of records there; undefined for all records. */
  readonly name?: string | undefined;
}

function goTo(centre: Centre, place: string | undefined, { bbox, name }: Destination = {}): void {
  if (place === undefined) chosenLocation.value = undefined;
  else chosenLocation.value = { name: place, isReader: false, centre, country: undefined, bbox };
  const radius = place === undefined ? {} : { radiusMeters: radiusOf(bbox) };
  changeSearch({ centre, country: undefined, ...namedAs(name), ...radius });
}

/**
 * Returns what to change in a search so that it finds the text in names, or no longer does. Instead of records without names,
 * places are searched.
 */
function namedAs(name: string | undefined) {
  const { path, filters: present } = draft.peek();
  const { name: _, ...filters } = present;
  return name === undefined ? { filters } : { path: kindWithNames(path), filters: { ...filters, name } };
}

async function openRecord(id: string): Promise<boolean> {
  const records = await Promise.all(PATHS.map((path) => remote("find", { path: `/${path}`, id })));
  const address = records.flatMap((record) => (record ? (addressOfRecord(record) ?? []) : []))[0];
  if (!address) return false;
  location.hash = formatRecordAddress(address);
  return true;
}

/** Lowest zoom at which the middle of the map is a likely location of a search. */
const MIN_ZOOM = 8;
/** Distance within which inhabited areas have a division. */
const REACH_METERS = 30_000;

/**
 * Returns the chosen country, otherwise that of the first result, otherwise that in the middle of the map; undefined if unknown.
 */
async function presentCountry(signal: AbortSignal): Promise<string | undefined> {
  const { country } = draft.peek();
  if (country !== undefined) return country;
  const [first] = found.peek()?.records ?? [];
  const view = presentView();
  return (first && countryOf(first)) ?? (view ? countryAt(view, signal) : undefined);
}

/** Returns the visible part of the map; undefined if it is too large to say where the user wants to search. */
function presentView(): View | undefined {
  const { view } = pageState.peek();
  return view && view.zoom >= MIN_ZOOM ? view : undefined;
}

function countryOf({ properties }: Feature): string | undefined {
  const [address] = (properties.addresses ?? []) as readonly { readonly country?: Json }[];
  const known = address?.country ?? properties.country;
  return typeof known === "string" ? known : undefined;
}

async function countryAt({ lat, lon }: View, signal: AbortSignal): Promise<string | undefined> {
  const parameters = { lat: coordinate(lat), lng: coordinate(lon), radius: String(REACH_METERS), limit: "1" };
  const answer = await remote("search", { path: "/divisions", parameters }, signal).catch(() => undefined);
  const [nearest] = answer?.kind === "found" ? answer.body : [];
  return nearest && countryOf(nearest);
}
