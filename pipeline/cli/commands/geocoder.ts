/**
 * Geocoding: finds coordinates for table rows that have only an address, with the search of a dataset.
 * @module
 */
import { wordsOf as foldedWords } from "../../../data/format/fold.ts";
import { metersBetween } from "../../../data/format/sphere.ts";
import type { Dataset, Suggestion } from "../../../web/engine/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import type { AddressFault, AddressMatch, AddressQuery, Geocode } from "../../builder/tables/index.ts";

/** Number of suggestions to read: the houses, the street and the town are among the first. */
const LOOKED_AT = 10;
/** Two houses of the same address, or two parts of a street, are nearer than this. */
const SAME_PLACE_METERS = 5_000;
/** Two points of the same town are nearer than this. */
const SAME_TOWN_METERS = 50_000;

const WHOLE: ReadonlySet<Suggestion["match"]> = new Set(["exact", "words"]);

/**
 * Opens the dataset in a folder or at a URL, to find addresses in it. Throws if the dataset has neither addresses nor
 * segments (streets) nor divisions.
 */
export async function openGeocoder(location: string): Promise<Geocode> {
  const [{ requireDataset }, { openNodeDataset }] = await Promise.all([
    import("../serving.ts"),
    import("../../../web/hosts/node/open.ts"),
  ]);
  await requireDataset(location);
  const dataset = openNodeDataset(location);
  const { release, collections, attribution } = await dataset.manifest();
  if (!collections.address && !collections.segment && !collections.division)
    throw new CodedError(
      "CAIRN_E_VALUE",
      `--geocode ${location}: the dataset has ${Object.keys(collections).join(", ")}; addresses are found in address, segment and division`,
    );
  return { version: `${location} ${release}`, attribution, find: (query) => findAddress(dataset, query) };
}

/**
 * Returns the position in degrees of the house, otherwise of its street, otherwise of its town. Returns a fault as text
 * if the query has no town and no postcode, if nothing is found, or if equally good matches are far apart.
 */
export async function findAddress(dataset: Dataset, query: AddressQuery): Promise<AddressMatch | AddressFault> {
  const { line, town } = linesOf(query);
  if (line === "" && town === "") return { fault: "no street and no town" };
  if (line !== "" && town === "") return { fault: "no town and no postcode" };
  if (line !== "") {
    const text = `${line}, ${town}`;
    const found = await dataset.suggest({ text, limit: LOOKED_AT });
    const house = only(
      found.filter((one) => isHouse(one, query)),
      SAME_PLACE_METERS,
    );
    if (house === "several") return { fault: "several houses have this address, add a postcode or a region" };
    if (house) return { match: "house", lon: house.lon, lat: house.lat };
    const street = only(
      found.filter((one) => isStreet(one, query)),
      SAME_PLACE_METERS,
    );
    if (street === "several") return { fault: "several streets have this name, add a postcode or a region" };
    if (street) return { match: "street", lon: street.lon, lat: street.lat };
  }
  return findTown(dataset, query);
}

/**
 * Returns the street with number, and the town with postcode. If the row has only an address in one text, its last part
 * is the town.
 */
function linesOf({ address, street, housenumber, postcode, city }: AddressQuery) {
  const own = [postcode, city].filter((part) => part !== "").join(" ");
  const line = street === "" ? address : [street, housenumber].filter((part) => part !== "").join(" ");
  if (own !== "" || street !== "") return { line, town: own };
  const parts = partsOf(address);
  return parts.length < 2
    ? { line: "", town: address }
    : { line: parts.slice(0, -1).join(", "), town: parts.at(-1) ?? "" };
}

function partsOf(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/**
 * Words of the query that a match need not contain: the postcode, the region, and numbers of four or more digits in the
 * address.
 */
function mayMiss({ address, postcode, region, city }: AddressQuery): ReadonlySet<string> {
  const ofCity = new Set(wordsOf(city));
  const codes = wordsOf(address).filter((word) => /^\d{4,}$/.test(word));
  return new Set([...wordsOf(postcode), ...wordsOf(region), ...codes].filter((word) => !ofCity.has(word)));
}

const wordsOf = (text: string): string[] => foldedWords(text).map((word) => word.text);

const unusedOf = ({ unused }: Suggestion): string[] => unused.flatMap((word) => wordsOf(word));

function isHouse(found: Suggestion, query: AddressQuery): boolean {
  if (found.kind !== "address" || !WHOLE.has(found.match)) return false;
  const allowed = mayMiss(query);
  return /\d/.test(found.name) && unusedOf(found).every((word) => allowed.has(word)) && isInTown(found, query);
}

/** Returns true for the street of the query, and for a house of it with a near number. */
function isStreet(found: Suggestion, query: AddressQuery): boolean {
  const isNear = found.kind === "address" && found.match === "near-number";
  if (!isNear && found.kind !== "street") return false;
  if (found.match === "misspelt" || found.match === "prefix") return false;
  const allowed = mayMiss(query);
  const number = new Set(wordsOf(query.housenumber));
  const isNumber = (word: string) => number.has(word) || (query.housenumber === "" && /^\d+\p{L}?$/u.test(word));
  return unusedOf(found).every((word) => allowed.has(word) || isNumber(word)) && isInTown(found, query);
}

/**
 * Returns true if the match is in the town or has the postcode of the query: many towns have a street of the same name.
 */
function isInTown({ within, detail, unused }: Suggestion, { postcode }: AddressQuery): boolean {
  const left = new Set(unused.flatMap((word) => wordsOf(word)));
  if (within !== undefined || left.size === 0) return true;
  return postcode !== "" && wordsOf(detail).some((word) => wordsOf(postcode).includes(word));
}

async function findTown(dataset: Dataset, query: AddressQuery): Promise<AddressMatch | AddressFault> {
  const named = query.city === "" && query.street === "" ? (partsOf(query.address).at(-1) ?? "") : query.city;
  // postcodes are next to the town
  const town = named.replace(/(^|\s)[\d-]{4,}(?=\s|$)/g, " ").trim();
  if (town === "") return { fault: "no street of the dataset, and no town" };
  const region = query.region === "" ? "" : `, ${query.region}`;
  for (const text of region === "" ? [town] : [`${town}${region}`, town]) {
    const found = await dataset.suggest({ text, limit: LOOKED_AT });
    const isTown = ({ kind, match, unused }: Suggestion) =>
      (kind === "division" || kind === "country") && WHOLE.has(match) && unused.length === 0;
    const best = only(found.filter(isTown), SAME_TOWN_METERS);
    if (best === "several") return { fault: "several towns have this name, add a region" };
    if (best) return { match: "town", lon: best.lon, lat: best.lat };
  }
  return { fault: "no such town in the dataset" };
}

/**
 * Returns the first match, or "several" if an equally good one is more than `meters` away. Undefined without matches.
 */
function only(found: readonly Suggestion[], meters: number): Suggestion | "several" | undefined {
  const [best] = found;
  if (!best) return undefined;
  const isElsewhere = (one: Suggestion) =>
    one.match === best.match && one.unused.length === best.unused.length && metersBetween(best, one) > meters;
  return found.some(isElsewhere) ? "several" : best;
}
