/**
 * Reverse search: the nearest address, street and place, and the divisions that contain a point.
 * @module
 */
import type { CollectionName } from "../../data/format/collections.ts";
import { textOf } from "../../data/format/json.ts";
import type { Circle, Dataset, Feature } from "../engine/index.ts";
import { type ParameterPath, type Parameters, parseValuesOf, type RunOptions } from "../search/index.ts";
import { addressOf, countryName, type Described, lineOfAddress, nameOf } from "./record-parts.ts";

export const REVERSE_PATH = {
  path: "/reverse",
  summary: "What is at a point.",
  description:
    "The nearest address, street and place, and the divisions that contain the point. Needs `lat` and `lng`.",
  parameters: ["lat", "lng", "radius", "language", "include_divisions", "api_key"],
  required: ["lat", "lng"],
} as const satisfies ParameterPath & { readonly path: string; readonly summary: string; readonly description: string };

export interface ReverseQuery {
  /** The point, and the radius beyond which records are ignored. */
  readonly circle: Circle;
  readonly language: string | undefined;
  /** Whether to find the divisions at the point. If false, the country comes from the nearest record. */
  readonly hasDivisions: boolean;
}

/** What is at a point. The property `ext_distance` of records is metres from the point. */
export interface Reversed {
  /** One line: the address, otherwise the street or the place, then town and country. Empty if nothing is known. */
  readonly label: string;
  readonly address: Feature | null;
  /** The nearest segment of a named road. */
  readonly street: Feature | null;
  readonly place: Feature | null;
  /** The areas of divisions that contain the point, widest first, without their outlines. */
  readonly divisions: readonly Outlineless[];
}

/** A record without its geometry: the outline of a country takes megabytes. */
export interface Outlineless extends Omit<Feature, "geometry"> {
  readonly geometry: null;
}

/** Default radius: farther away, a feature does not describe the point. */
export const DEFAULT_REVERSE_METERS = 1000;

/** Maximum number of nearest segments that are searched for a named road at first: as many as the points read so far have. */
const FIRST_SEGMENTS = 8;
/** Number of segments of the second search. Squares have many paths without names. */
const MOST_SEGMENTS = 32;

/** The few rows are far from each other in the files, so gaps would be a fifth of all bytes. */
const GAP_BYTES = 4096;

/** Maximum number of areas that contain one point, including sea and disputed areas. */
const MOST_DIVISIONS = 100;

/** Subtypes of divisions, the widest first. */
const SUBTYPES = [
  ...["country", "dependency", "macroregion", "region", "macrocounty", "county"],
  ...["localadmin", "locality", "borough", "macrohood", "neighborhood", "microhood"],
];

/** Parses the parameters. Throws `ParameterError` with every fault. */
export function parseReverse(parameters: Parameters): ReverseQuery {
  const values = parseValuesOf(REVERSE_PATH, parameters);
  const { lat, lng, radius = DEFAULT_REVERSE_METERS, language, include_divisions: hasDivisions = true } = values;
  return { circle: { lat, lon: lng, radiusMeters: radius }, language, hasDivisions };
}

/**
 * Finds the nearest address, named road and place within the circle, and the divisions that contain its centre. Each is null,
 * or the list is empty, if there is none or the dataset lacks the collection. Throws like `Dataset.search`.
 */
export async function runReverse(
  dataset: Dataset,
  { circle, language, hasDivisions }: ReverseQuery,
  options: RunOptions = {},
): Promise<Reversed> {
  const { collections } = await dataset.manifest(options.signal);
  const nearest = async (collection: CollectionName, count: number, enough = count): Promise<readonly Feature[]> => {
    if (!collections[collection]) return [];
    const query = {
      collections: [collection],
      circle,
      nearest: count,
      enough,
      offset: 0,
      limit: count,
      gapBytes: GAP_BYTES,
    };
    return [...(await dataset.search(query, options)).features()];
  };
  const nearestStreet = async (): Promise<Feature | undefined> => {
    const first = await nearest("segment", FIRST_SEGMENTS, 1);
    return first.find(isStreet) ?? (await nearest("segment", MOST_SEGMENTS)).find(isStreet);
  };
  const [[address], street, [place], divisions] = await Promise.all([
    nearest("address", 1),
    nearestStreet(),
    nearest("place", 1),
    hasDivisions && collections.division_area ? divisionsAt(dataset, circle, options) : [],
  ]);
  return {
    label: labelOf({ address, street, place, divisions }, language),
    address: address ?? null,
    street: street ?? null,
    place: place ?? null,
    divisions,
  };
}

/** Returns whether the record is a named road. */
export function isStreet(record: Described): boolean {
  return record.properties.subtype === "road" && nameOf(record, undefined) !== undefined;
}

async function divisionsAt(dataset: Dataset, circle: Circle, options: RunOptions): Promise<Outlineless[]> {
  const query = {
    collections: ["division_area"],
    circle: { ...circle, radiusMeters: 0 },
    gapBytes: GAP_BYTES,
  } as const;
  const result = await dataset.search({ ...query, hasGeometry: false, offset: 0, limit: MOST_DIVISIONS }, options);
  const found = Array.from(result.features(), (area): Outlineless => ({ ...area, geometry: null }));
  // the land of a division and the sea around it are separate areas
  const first = new Map(found.map((area) => [textOf(area.properties.division_id) ?? area.id, area] as const).reverse());
  return [...first.values()].sort((a, b) => width(a) - width(b) || (a.id < b.id ? -1 : 1));
}

function width({ properties }: Described): number {
  const found = SUBTYPES.indexOf(String(properties.subtype));
  return found < 0 ? SUBTYPES.length : found;
}

interface Known {
  readonly address: Described | undefined;
  readonly street: Described | undefined;
  readonly place: Described | undefined;
  readonly divisions: readonly Described[];
}

function labelOf({ address, street, place, divisions }: Known, language: string | undefined): string {
  const own = address && addressOf(address);
  const line = own && lineOfAddress(own);
  const first = line ?? (street && nameOf(street, language)) ?? (place && nameOf(place, language));
  const locality = own?.locality ?? townOf(divisions, language);
  const above = textOf(divisions[0]?.properties.country);
  const country = above ?? own?.country ?? [street, place].map((near) => near && addressOf(near).country).find(Boolean);
  const parts = [first, locality, countryName(country, language)];
  return [...new Set(parts)].filter((part) => part !== undefined).join(", ");
}

/**
 * Returns the name of the town among the divisions at a point, otherwise of the narrowest county or local area; undefined if
 * none.
 */
export function townOf(divisions: readonly Described[], language: string | undefined): string | undefined {
  const town = divisions.find(({ properties }) => properties.subtype === "locality");
  const above = divisions.filter(({ properties }) => ["county", "localadmin"].includes(String(properties.subtype)));
  const found = town ?? above.at(-1);
  return found && nameOf(found, language);
}
