/**
 * Answers as Nominatim gives them, for programs that can use another server.
 * @see https://nominatim.org/release-docs/latest/api/Output/
 * @module
 */
import { type BBox, bboxContains } from "../../data/format/bbox.ts";
import { bboxOf, type Geometry } from "../../data/format/geometry.ts";
import { listOf, objectOf, textOf } from "../../data/format/json.ts";
import type { Dataset, Feature, Suggestion } from "../engine/index.ts";
import { outlineOf, ParameterError, type RunOptions } from "../search/index.ts";
import { type Above, aboveOf, hierarchyOf, isPlace, type Layer, layerOf, pointOf, recordsFound } from "./located.ts";
import type { NominatimLookup, NominatimReverse, NominatimSearch, NominatimShown } from "./nominatim-parameters.ts";
import { tagOfCategory } from "./osm-tags.ts";
import { type AddressParts, addressOf, countryName, type Described, nameOf } from "./record-parts.ts";
import { type Outlineless, runReverse } from "./reverse.ts";
import { positionOf } from "./typed-position.ts";

/** A result with everything that the formats write. */
export interface NominatimPlace {
  /** A number computed from the id, for programs that expect one. */
  readonly placeId: number;
  readonly id: string;
  /** The feature of OpenStreetMap that the record was made from, if the record states it. */
  readonly osm: { readonly osm_type: string; readonly osm_id: number } | undefined;
  /** Datasets that the record comes from. */
  readonly datasets: readonly string[];
  readonly point: readonly [number, number];
  readonly box: BBox;
  readonly category: string;
  readonly type: string;
  readonly layer: Layer;
  readonly rank: number;
  readonly addressType: string;
  readonly name: string;
  /** Parts of the address by Nominatim's names, narrowest first. */
  readonly address: Readonly<Record<string, string>>;
  readonly extraTags: Readonly<Record<string, string>>;
  readonly names: Readonly<Record<string, string>>;
  readonly outline: Geometry | undefined;
  readonly unused: readonly string[] | undefined;
}

/** Maximum distance of a record from the point, as in Nominatim. */
const REVERSE_METERS = 600;

/**
 * A house number or a postcode: without it the street or the town is the answer, as in Nominatim. A result that leaves
 * out another word is none.
 */
const NUMBER = /\d/;

const LOOKED_UP = ["place", "address", "division", "segment", "division_area"] as const;

/** Returns what the text can mean, best first, at most `limit`. A text that states a position finds at most one record there. */
export async function nominatimSearch(
  dataset: Dataset,
  { text, countries, viewbox, isBounded, limit, layers, hasPlaces, hasAddresses, excluded, shown }: NominatimSearch,
  options: RunOptions = {},
): Promise<NominatimPlace[]> {
  const near = viewbox && { lat: (viewbox[1] + viewbox[3]) / 2, lon: (viewbox[0] + viewbox[2]) / 2 };
  const isWanted = ({ kind, id, unused }: Suggestion) =>
    (kind === "place" ? hasPlaces : hasAddresses) &&
    !(excluded.size > 0 && excluded.has(placeIdOf(id))) &&
    unused.every((word) => NUMBER.test(word));
  const bbox = isBounded ? viewbox : undefined;
  const query = { text, near, bbox, countries, language: shown.language, limit, layers, isWanted };
  const point = await positionOf(dataset, { text, near, language: shown.language }, options);
  if (point) {
    const there = { ...point, zoom: HOUSE_ZOOM, hasPlaces, hasAddresses, shown };
    const place = await nominatimReverse(dataset, there, options);
    const isAllowed =
      place &&
      layers.includes(place.layer) &&
      !excluded.has(place.placeId) &&
      (countries.length === 0 || countries.includes(place.address.country_code?.toUpperCase() ?? "")) &&
      (!bbox || bboxContains(bbox, ...place.point));
    return isAllowed ? [place] : [];
  }
  const found: NominatimPlace[] = [];
  for await (const { record, suggestion } of recordsFound(dataset, query, options)) {
    const { lon, lat, bbox: box, country, detail, unused } = suggestion;
    const town = suggestion.kind === "street" && detail !== "" ? detail : undefined;
    const above = { countrycode: country, ...defined({ city: town }), ...defined(hierarchyOf(record)) };
    const located: Located = { record, point: [lon, lat], box, above, unused };
    if (found.push(await placeOf(dataset, located, shown, options)) === limit) break;
  }
  return found;
}

/** Returns the record at the point, of the kind that `zoom` asks for, or a wider one; undefined if there is none within 600 m. */
export async function nominatimReverse(
  dataset: Dataset,
  { lat, lon, zoom, hasPlaces, hasAddresses, shown }: NominatimReverse,
  options: RunOptions = {},
): Promise<NominatimPlace | undefined> {
  const circle = { lat, lon, radiusMeters: REVERSE_METERS };
  const { address, street, place, divisions } = await runReverse(
    dataset,
    { circle, language: shown.language, hasDivisions: true },
    options,
  );
  const metersTo = (record: Described) => Number(record.properties.ext_distance);
  const houses = [hasAddresses ? address : null, hasPlaces ? place : null]
    .filter((record) => record !== null)
    .sort((a, b) => metersTo(a) - metersTo(b));
  const streets = street && hasAddresses ? [street] : [];
  const areas = hasAddresses ? divisions : [];
  const records: readonly (Feature | Outlineless)[] = [
    ...(zoom >= HOUSE_ZOOM ? houses : []),
    ...(zoom >= STREET_ZOOM ? streets : []),
    ...areas.toReversed().filter((area) => zoom >= (ZOOM_OF_LAYER[layerOf(area)] ?? 0)),
  ];
  const [found] = records;
  if (!found) return undefined;
  // divisions come without their outlines, which were read
  const record = found.geometry ? found : ((await dataset.find(["division_area"], found.id, options)) ?? found);
  const point = pointOf(record) ?? ([lon, lat] as const);
  const above = defined(aboveOf(divisions, shown.language));
  return placeOf(dataset, { record, point, above, box: undefined, unused: undefined }, shown, options);
}

/** Returns the records with the ids, in the order of `ids`. Unknown ids and records without a position are left out. */
export async function nominatimLookup(
  dataset: Dataset,
  { ids, shown }: NominatimLookup,
  options: RunOptions = {},
): Promise<NominatimPlace[]> {
  const { collections } = await dataset.manifest(options.signal);
  const known = LOOKED_UP.filter((name) => collections[name]);
  const found = await Promise.all(
    ids.map(async (id) => {
      const record = await dataset.find(known, id, options);
      const point = record && pointOf(record);
      if (!point) return [];
      const above = defined({ countrycode: textOf(record.properties.ext_country), ...hierarchyOf(record) });
      return [await placeOf(dataset, { record, point, above, box: undefined, unused: undefined }, shown, options)];
    }),
  );
  return found.flat();
}

interface Located {
  readonly record: Feature | Outlineless;
  readonly point: readonly [number, number];
  readonly box: BBox | undefined;
  readonly above: Above;
  readonly unused: readonly string[] | undefined;
}

const HOUSE_ZOOM = 18;
const STREET_ZOOM = 16;
/** The lowest zoom at which a kind of division is returned. */
const ZOOM_OF_LAYER: Readonly<Partial<Record<Layer, number>>> = {
  state: 5,
  county: 8,
  city: 10,
  district: 14,
  locality: 14,
  other: 14,
};

/** Nominatim's ranks of addresses. */
const RANKS: Readonly<Record<Layer, number>> = {
  country: 4,
  state: 8,
  county: 12,
  city: 16,
  district: 18,
  locality: 20,
  other: 20,
  street: 26,
  house: 30,
};

const NAMES_OF_LAYER: Readonly<Record<Layer, string>> = {
  country: "country",
  state: "state",
  county: "county",
  city: "city",
  district: "suburb",
  locality: "neighbourhood",
  other: "place",
  street: "road",
  house: "place",
};

/** Classes of towns that Nominatim names in addresses. */
const TOWNS: readonly string[] = ["city", "town", "village", "hamlet"];

/** Half the width of the box of a point, in degrees, as in Nominatim. */
const POINT_BOX_DEG = 5e-5;

async function placeOf(
  dataset: Dataset,
  { record, point, box, above, unused }: Located,
  { language, hasOutline }: NominatimShown,
  options: RunOptions,
): Promise<NominatimPlace> {
  const outline = hasOutline ? await outlineOfRecord(dataset, record, options) : undefined;
  const own = record.geometry ? bboxOf(record.geometry) : undefined;
  const [lon, lat] = point;
  const around: BBox = [lon - POINT_BOX_DEG, lat - POINT_BOX_DEG, lon + POINT_BOX_DEG, lat + POINT_BOX_DEG];
  const isExtended = own !== undefined && (own[0] !== own[2] || own[1] !== own[3]);
  const layer = layerOf(record);
  const name = nameOf(record, language) ?? "";
  const { category, type, addressType } = kindOf(record, layer);
  return {
    placeId: placeIdOf(record.id),
    id: record.id,
    osm: osmOf(record),
    datasets: sourcesOf(record).flatMap((source) => textOf(source?.dataset) ?? []),
    point,
    box: (outline && bboxOf(outline)) ?? box ?? (isExtended ? own : around),
    ...{ category, type, addressType, layer, rank: RANKS[layer], name },
    address: partsOf(addressOf(record), { layer, name, addressType, above, language }),
    extraTags: extraTagsOf(record),
    names: namesOf(record),
    outline,
    unused,
  };
}

async function outlineOfRecord(
  dataset: Dataset,
  { id, geometry, properties }: Feature | Outlineless,
  options: RunOptions,
): Promise<Geometry | undefined> {
  if (properties.type !== "division" && properties.type !== "division_area") return geometry ?? undefined;
  try {
    return await outlineOf(dataset, id, options);
  } catch (error) {
    // a division may have no area
    if (error instanceof ParameterError) return geometry ?? undefined;
    throw error;
  }
}

function kindOf(record: Described, layer: Layer) {
  const { properties } = record;
  if (isPlace(record)) {
    const primary = textOf(objectOf(properties.categories)?.primary) ?? "yes";
    const [category, type] = tagOfCategory(primary) ?? ["place", primary];
    return { category, type, addressType: category };
  }
  if (properties.type === "address") return { category: "place", type: "house", addressType: "place" };
  if (layer === "street")
    return { category: "highway", type: textOf(properties.class) ?? "unclassified", addressType: "road" };
  const town = TOWNS.find((one) => layer === "city" && one === properties.class);
  return { category: "boundary", type: "administrative", addressType: town ?? NAMES_OF_LAYER[layer] };
}

interface Around {
  readonly layer: Layer;
  readonly name: string;
  readonly addressType: string;
  readonly above: Above;
  readonly language: string | undefined;
}

function partsOf(own: AddressParts, { layer, name, addressType, above, language }: Around): Record<string, string> {
  const { street, number, postcode, locality, region, country = above.countrycode } = own;
  const isBelow = (other: Layer) => RANKS[layer] > RANKS[other];
  const state = region ?? above.state;
  const parts = {
    // a house has a number instead of a name
    ...(name === "" ? {} : { [addressType]: name }),
    house_number: number,
    ...(layer === "street" ? {} : { road: street }),
    ...(isBelow("city") ? { city: locality ?? above.city } : {}),
    ...(isBelow("county") ? { county: above.county } : {}),
    ...(isBelow("state") ? { state } : {}),
    postcode,
    ...(isBelow("country") ? { country: countryName(country, language) } : {}),
    country_code: country?.toLowerCase(),
  };
  return defined(parts);
}

function extraTagsOf({ properties }: Described): Record<string, string> {
  const brand = objectOf(properties.brand);
  const firstOf = (name: string) => textOf(listOf(properties[name])[0]);
  return defined({
    website: firstOf("websites"),
    phone: firstOf("phones"),
    email: firstOf("emails"),
    brand: textOf(objectOf(brand?.names)?.primary),
    "brand:wikidata": textOf(brand?.wikidata),
    wikidata: textOf(properties.wikidata),
    population: typeof properties.population === "number" ? String(properties.population) : undefined,
  });
}

function namesOf({ properties }: Described): Record<string, string> {
  const names = objectOf(properties.names);
  const common = Object.entries(objectOf(names?.common) ?? {});
  return defined({
    name: textOf(names?.primary),
    ...Object.fromEntries(common.map(([language, name]) => [`name:${language}`, textOf(name)])),
  });
}

const OSM_TYPES: Readonly<Record<string, string>> = { n: "node", w: "way", r: "relation" };

const sourcesOf = ({ properties }: Described) => listOf(properties.sources).map(objectOf);

function osmOf(record: Described): NominatimPlace["osm"] {
  const source = sourcesOf(record).find((one) => one?.dataset === "OpenStreetMap");
  const [, letter = "", number = ""] = /^([nwr])(\d{1,15})(?:@\d+)?$/.exec(textOf(source?.record_id) ?? "") ?? [];
  const type = OSM_TYPES[letter];
  return type === undefined ? undefined : { osm_type: type, osm_id: Number(number) };
}

const FNV_PRIME = 16_777_619;

/** Returns a positive number of at most 53 bits for an id. Two ids have the same number with a chance of about 1 in 10^16. */
export function placeIdOf(id: string): number {
  const hash = (seed: number) => {
    let value = seed;
    for (let i = 0; i < id.length; i++) value = Math.imul(value ^ id.charCodeAt(i), FNV_PRIME);
    return (value ^ (value >>> 15)) >>> 0;
  };
  const high = hash(0x811c9dc5) >>> 11;
  return high * 2 ** 32 + hash(0x2c1b3c6d) + 1;
}

function defined(parts: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
