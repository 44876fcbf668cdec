/**
 * Nominatim's formats of results: JSON, GeoJSON and GeocodeJSON.
 * @see https://nominatim.org/release-docs/latest/api/Output/
 * @module
 */
import type { BBox } from "../../data/format/bbox.ts";
import type { Geometry } from "../../data/format/geometry.ts";
import { type Credit, creditLines } from "../search/index.ts";
import type { NominatimPlace } from "./nominatim.ts";
import type { NominatimShown } from "./nominatim-parameters.ts";

/** The parts of a response: the text around and between the results, the results, and the media type. */
export interface NominatimBody {
  readonly contentType: string;
  readonly open: string;
  readonly separator: string;
  readonly close: string;
  readonly values: readonly object[];
}

interface Written {
  readonly shown: NominatimShown;
  /** The sources of the dataset. Each result names those that it comes from. */
  readonly credit: Credit;
  /** The text or the point of the request, for GeocodeJSON. */
  readonly query: string;
}

const JSON_TYPE = "application/json; charset=utf-8";
const NO_RESULT = { error: "Unable to geocode" };

/** Returns the body of a list of results. */
export function nominatimBody(places: readonly NominatimPlace[], { shown, credit, query }: Written): NominatimBody {
  const licenceOf = (datasets: Iterable<string>) => licenceFor(credit, new Set(datasets));
  if (shown.format === "json" || shown.format === "jsonv2") {
    const values = places.map((place) => jsonOf(place, shown, licenceOf(place.datasets)));
    return { contentType: JSON_TYPE, open: "[", separator: ",\n", close: "]\n", values };
  }
  const licence = licenceOf(places.flatMap(({ datasets }) => datasets));
  const isGeocode = shown.format === "geocodejson";
  const head = isGeocode
    ? { type: "FeatureCollection", geocoding: { version: "0.1.0", attribution: licence, licence, query } }
    : { type: "FeatureCollection", licence };
  return {
    contentType: JSON_TYPE,
    open: `${JSON.stringify(head).slice(0, -1)},"features":[`,
    separator: ",\n",
    close: "]}\n",
    values: places.map((place) => (isGeocode ? geocodeOf(place, shown) : featureOf(place, shown))),
  };
}

/**
 * Returns the body of one result: the result itself, in GeoJSON and GeocodeJSON a collection with it. Without a result it is
 * `{"error": "Unable to geocode"}` in every format.
 */
export function nominatimBodyOfOne(place: NominatimPlace | undefined, written: Written): NominatimBody {
  const alone = { contentType: JSON_TYPE, open: "", separator: "", close: "\n" };
  if (!place) return { ...alone, values: [NO_RESULT] };
  const { shown, credit } = written;
  const { format } = shown;
  if (format === "geojson" || format === "geocodejson") return nominatimBody([place], written);
  return { ...alone, values: [jsonOf(place, shown, licenceFor(credit, new Set(place.datasets)))] };
}

function licenceFor(credit: Credit, datasets: ReadonlySet<string>): string {
  const attribution = credit.attribution.filter(({ dataset }) => datasets.has(dataset));
  return creditLines({ ...credit, attribution }).join("; ");
}

function jsonOf(place: NominatimPlace, shown: NominatimShown, licence: string): object {
  const { placeId, id, osm, point, category, type, name, unused, outline } = place;
  const [west, south, east, north] = place.box.map((degrees) => degrees.toFixed(DECIMALS));
  return {
    place_id: placeId,
    licence,
    ...osm,
    id,
    lat: point[1].toFixed(DECIMALS),
    lon: point[0].toFixed(DECIMALS),
    ...(shown.format === "json" ? { class: category } : { category }),
    type,
    ...commonOf(place),
    name,
    display_name: lineOf(place),
    ...detailsOf(place, shown),
    boundingbox: [south, north, west, east],
    ...(outline === undefined ? {} : { geojson: outline }),
    ...(unused === undefined ? {} : { ext_unused: unused }),
  };
}

function featureOf(place: NominatimPlace, shown: NominatimShown): object {
  const { placeId, id, osm, category, type, name, unused, box } = place;
  return {
    type: "Feature",
    properties: {
      place_id: placeId,
      ...osm,
      id,
      category,
      type,
      ...commonOf(place),
      name,
      display_name: lineOf(place),
      ...detailsOf(place, shown),
      ...(unused === undefined ? {} : { ext_unused: unused }),
    },
    bbox: box.map(rounded) as unknown as BBox,
    geometry: geometryOf(place),
  };
}

function geocodeOf(place: NominatimPlace, shown: NominatimShown): object {
  const { placeId, id, osm, category, type, name, address, layer, addressType, unused, box } = place;
  const { house_number, road, suburb, postcode, city, county, state, country, country_code } = address;
  return {
    type: "Feature",
    properties: {
      geocoding: {
        place_id: placeId,
        ...osm,
        id,
        osm_key: category,
        osm_value: type,
        type: layer === "house" || layer === "street" ? layer : addressType,
        label: lineOf(place),
        ...(name === "" ? {} : { name }),
        ...(shown.hasAddress
          ? {
              housenumber: house_number,
              street: road,
              district: suburb,
              postcode,
              city,
              county,
              state,
              country,
              country_code,
            }
          : {}),
        ...(unused === undefined ? {} : { ext_unused: unused }),
      },
    },
    bbox: box.map(rounded) as unknown as BBox,
    geometry: geometryOf(place),
  };
}

const DECIMALS = 7;

/**
 * Returns rank and importance. Nominatim computes the importance of features without an article in Wikipedia so: wide ones have
 * more.
 */
function commonOf({ rank, addressType }: NominatimPlace): object {
  return { place_rank: rank, importance: Math.round((0.40001 - rank / 75) * 1e5) / 1e5, addresstype: addressType };
}

function detailsOf({ address, extraTags, names }: NominatimPlace, shown: NominatimShown): object {
  return {
    ...(shown.hasAddress ? { address } : {}),
    ...(shown.hasTags ? { extratags: extraTags } : {}),
    ...(shown.hasNames ? { namedetails: names } : {}),
  };
}

function geometryOf({ outline, point }: NominatimPlace): Geometry {
  return outline ?? { type: "Point", coordinates: [rounded(point[0]), rounded(point[1])] };
}

/** Returns all parts of the address in one line, narrowest first. */
function lineOf({ address: { country_code: _, ...parts } }: NominatimPlace): string {
  return [...new Set(Object.values(parts))].join(", ");
}

function rounded(degrees: number): number {
  return Number(degrees.toFixed(DECIMALS));
}
