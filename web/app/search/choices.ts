/** What the text in the search box may mean, and what choosing it does. @module */
import type { BBox } from "../../../data/format/bbox.ts";
import { isSearchable } from "../../../data/format/fold.ts";
import type { Feature, Json, Suggestion } from "../../engine/index.ts";
import { addressOfRecord, type Centre, coordinate, formatRecordAddress, PATHS, type View } from "../address/index.ts";
import { changeSearch, chosenPlace, draft, found, pageState, searchNames } from "../state/index.ts";
import { language } from "../text/index.ts";
import { remote } from "../worker/index.ts";
import { forgetSearches, type RecentSearch, recentSearches } from "./recent.ts";
import { isRecordId, parsePoint, radiusOf } from "./typed-place.ts";

export type Choice =
  | { readonly kind: "point"; readonly centre: Centre }
  | { readonly kind: "record"; readonly id: string }
  | { readonly kind: "found"; readonly suggestion: Suggestion }
  /** Search for records with this name. */
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "recent"; readonly search: RecentSearch }
  /** Forget the recent ones. */
  | { readonly kind: "forget" };

/** Fits a small telephone with the keyboard out. */
const LIMIT = 7;
/** The longest streets of a town reach about as far from their middle. */
const STREET_METERS = 3000;
/** A person who pressed Enter waits no longer to see something happen. */
const LONGEST_WAIT_MS = 5000;

/** What the text itself says, without asking the dataset. */
export function choicesIn(text: string): readonly Choice[] {
  const centre = parsePoint(text);
  if (centre) return [{ kind: "point", centre }];
  return isRecordId(text) ? [{ kind: "record", id: text.trim().toLowerCase() }] : [];
}

/** What is offered before anything is typed. */
export function choicesBefore(): readonly Choice[] {
  const recent = recentSearches().map((search) => ({ kind: "recent", search }) as const);
  return recent.length === 0 ? [] : [...recent, { kind: "forget" }];
}

export interface Choices {
  readonly choices: readonly Choice[];
  /** Whether names could not be looked up, or not all: then there may be more. */
  readonly missing: "all" | "some" | "none";
}

/** All that the text may mean, best first. Free text comes last. */
export async function choicesFor(text: string, signal: AbortSignal): Promise<Choices> {
  const name = text.trim();
  const own = choicesIn(name);
  if (own.length > 0 || name === "") return { choices: own, missing: "none" };
  const near = draft.peek().centre ?? presentView();
  const query = {
    text: name,
    country: draft.peek().country,
    near,
    language: language.peek(),
    limit: 2 * LIMIT,
    categories: true,
    isTyped: true,
  };
  // What cannot be suggested can still be searched for: the search then says what is wrong.
  const suggested = await remote("suggest", query, signal).catch(() => undefined);
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

/** Without those that would look the same: a town is often a district too. */
function unlike(suggestions: readonly Suggestion[]): Suggestion[] {
  const shown = ({ kind, name, detail, country }: Suggestion) => JSON.stringify([kind, name, detail, country]);
  const first = new Map(suggestions.map((suggestion) => [shown(suggestion), suggestion] as const).reverse());
  return suggestions.filter((suggestion) => first.get(shown(suggestion)) === suggestion);
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

/** Names of what is searched at present, or of the country that is looked at. Where nothing says where, the best that the text may mean. */
async function searchText(name: string): Promise<void> {
  const { centre, area, country } = draft.peek();
  if ([centre, area, country].some((place) => place !== undefined)) return searchNames(name, country);
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
  const { choices } = await choicesFor(name, signal);
  const suggestions = choices.flatMap((choice) => (choice.kind === "found" ? [choice.suggestion] : []));
  const present = nearestCountry(suggestions) ?? (await presentCountry(signal));
  // One that leaves a word of the text out would show what nobody asked for.
  const best = suggestions.find(({ unused }) => unused.length === 0);
  const isAddress = best?.kind === "address" && best.match === "exact";
  if (best && (isAddress || present === undefined)) followSuggestion(best);
  else searchNames(name, present);
}

/** That of the nearest place, street or address, where one is around. */
function nearestCountry(suggestions: readonly Suggestion[]): string | undefined {
  const around = suggestions
    .filter(({ kind }) => kind === "place" || kind === "street" || kind === "address")
    .flatMap(({ country, meters }) => (meters !== undefined && meters <= REACH_METERS ? [{ country, meters }] : []))
    .sort((a, b) => a.meters - b.meters);
  return around[0]?.country;
}

function followSuggestion(suggestion: Suggestion): void {
  const { kind, id, name, country, lon, lat, bbox } = suggestion;
  const at = { lon, lat };
  if (kind === "place" || kind === "address") location.hash = formatRecordAddress({ type: kind, id, at });
  else if (kind === "category") showCategory(suggestion);
  else if (kind === "street") showStreet(name, { lon, lat });
  else if (kind === "division") goTo({ lon, lat }, name, bbox);
  else {
    chosenPlace.value = { name, isReader: false, centre: undefined, country, bbox };
    changeSearch({ centre: undefined, country, filters: withoutName() });
  }
}

/** The places of the category where the present search is, or around here, or in the place that was typed beside it. */
function showCategory({ id, within, lon, lat, bbox }: Suggestion): void {
  const search = { path: "places", country: undefined, filters: { categories: id } } as const;
  if (within === undefined) {
    const { centre, country } = draft.peek();
    if (centre === undefined && country !== undefined) changeSearch({ ...search, country });
    else changeSearch({ ...search, centre: centre ?? { lon, lat } });
    return;
  }
  const centre = { lon, lat };
  chosenPlace.value = { name: within, isReader: false, centre, country: undefined, bbox };
  changeSearch({ ...search, centre, radiusMeters: radiusOf(bbox) });
}

/** A street is many segments: all that bear its name around the one that was suggested. */
function showStreet(name: string, centre: Centre): void {
  chosenPlace.value = { name, isReader: false, centre, country: undefined, bbox: undefined };
  const filters = { name, types: "segment" };
  changeSearch({ path: "transportation", centre, country: undefined, radiusMeters: STREET_METERS, filters });
}

function goTo(centre: Centre, name: string | undefined, bbox?: BBox): void {
  if (name === undefined) chosenPlace.value = undefined;
  else chosenPlace.value = { name, isReader: false, centre, country: undefined, bbox };
  const radius = name === undefined ? {} : { radiusMeters: radiusOf(bbox) };
  changeSearch({ centre, country: undefined, filters: withoutName(), ...radius });
}

function withoutName() {
  const { name: _, ...filters } = draft.peek().filters;
  return filters;
}

/** Looks for the record in all types. */
async function openRecord(id: string): Promise<boolean> {
  const records = await Promise.all(PATHS.map((path) => remote("find", { path: `/${path}`, id })));
  const address = records.flatMap((record) => (record ? (addressOfRecord(record) ?? []) : []))[0];
  if (!address) return false;
  location.hash = formatRecordAddress(address);
  return true;
}

/** At lower zooms the middle of the map is no hint. */
const MIN_ZOOM = 8;
/** A division is nearer than that wherever people live. */
const REACH_METERS = 30_000;

/** The chosen country, else that of the nearest record, else the one that the map shows; undefined when none is known. */
async function presentCountry(signal: AbortSignal): Promise<string | undefined> {
  const { country } = draft.peek();
  if (country !== undefined) return country;
  const [first] = found.peek()?.records ?? [];
  const view = presentView();
  return (first && countryOf(first)) ?? (view ? countryAt(view, signal) : undefined);
}

/** What the map shows; undefined where that is too much for its middle to be a hint. */
function presentView(): View | undefined {
  const { view } = pageState.peek();
  return view && view.zoom >= MIN_ZOOM ? view : undefined;
}

function countryOf({ properties }: Feature): string | undefined {
  const [address] = (properties.addresses ?? []) as readonly { readonly country?: Json }[];
  const known = address?.country ?? properties.country;
  return typeof known === "string" ? known : undefined;
}

/** That of the nearest division. */
async function countryAt({ lat, lon }: View, signal: AbortSignal): Promise<string | undefined> {
  const parameters = { lat: coordinate(lat), lng: coordinate(lon), radius: String(REACH_METERS), limit: "1" };
  const answer = await remote("search", { path: "/divisions", parameters }, signal).catch(() => undefined);
  const [nearest] = answer?.kind === "found" ? answer.body : [];
  return nearest && countryOf(nearest);
}
