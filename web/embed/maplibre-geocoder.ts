/**
 * An adapter for MapLibre's search box.
 * @see https://maplibre.org/maplibre-gl-geocoder/types/MaplibreGeocoderApi.html
 * @module
 */
import type { Cairn, Suggestion } from "./types.ts";

/** Those options of `@maplibre/maplibre-gl-geocoder` that this adapter uses. */
export interface GeocoderConfig {
  /** A text, or for a reverse search [lng, lat] or the text `lng,lat`. */
  readonly query?: string | readonly number[] | undefined;
  readonly limit?: number | undefined;
  /** Language codes; the first is used. */
  readonly language?: string | readonly string[] | undefined;
  /** `[lng, lat]` in degrees, or both by name: nearer results rank higher. */
  readonly proximity?: readonly number[] | { readonly longitude: number; readonly latitude: number } | undefined;
  /** ISO 3166-1 alpha-2 codes with commas between them. One code limits the search; several are ignored. */
  readonly countries?: string | undefined;
}

/** A result in Carmen GeoJSON, which the search box shows. */
export interface GeocoderFeature {
  readonly id: string;
  readonly type: "Feature";
  readonly geometry: { readonly type: "Point"; readonly coordinates: [number, number] };
  readonly center: [number, number];
  /** west, south, east, north */
  readonly bbox?: [number, number, number, number];
  readonly place_type: string[];
  readonly text: string;
  readonly place_name: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The results of a request, best first. */
export interface GeocoderFeatures {
  readonly type: "FeatureCollection";
  readonly features: GeocoderFeature[];
}

/** The two requests of the search box. */
export interface GeocoderApi {
  /** Finds countries, divisions, places, streets and addresses by words, best first. Categories are left out. */
  forwardGeocode(config: GeocoderConfig): Promise<GeocoderFeatures>;
  /**
   * Finds the address at `query`, without one the street, without both the place. Returns one result, whose position is `query`,
   * or none. Throws `TypeError` if `query` has no two parts.
   */
  reverseGeocode(config: GeocoderConfig): Promise<GeocoderFeatures>;
}

/**
 * Returns the geocoder of the dataset: the first argument of `new MaplibreGeocoder(…)`. Both methods throw `RequestError` if the
 * search fails.
 */
export function maplibreGeocoder(cairn: Cairn): GeocoderApi {
  return {
    async forwardGeocode({ query, limit, proximity, language, countries }) {
      const [only, ...more] = countries?.split(",") ?? [];
      const found = await cairn.suggest({
        text: String(query ?? ""),
        limit,
        language: languageOf(language),
        ...pointOf(proximity),
        ...(only === undefined || more.length > 0 ? {} : { country: only.trim() }),
      });
      // the control shows one position for a result, and a category has many
      return collection(found.filter(({ kind }) => kind !== "category").map(featureOf));
    },
    async reverseGeocode({ query, language }) {
      const [lng, lat] = typeof query === "string" ? query.split(",").map(Number) : (query ?? []);
      if (lng === undefined || lat === undefined) throw new TypeError(`query must be [lng, lat], got ${query}`);
      const { label, address, street, place } = await cairn.reverse({ lat, lng, language: languageOf(language) });
      const [nearest] = [address, street, place].filter((record) => record !== null);
      if (!nearest) return collection([]);
      const { id, properties } = nearest;
      return collection([made({ id, lng, lat, text: label, name: label, kind: properties.type ?? "", properties })]);
    },
  };
}

const collection = (features: GeocoderFeature[]): GeocoderFeatures => ({ type: "FeatureCollection", features });

function featureOf({ id, lng, lat, bbox, kind, name, detail, country, ...properties }: Suggestion): GeocoderFeature {
  const where = [name, detail, country].filter((part) => part !== "").join(", ");
  return made({ id, lng, lat, bbox, kind, text: name, name: where, properties: { ...properties, country } });
}

interface Made {
  readonly id: string;
  readonly lng: number;
  readonly lat: number;
  readonly bbox?: Suggestion["bbox"];
  readonly kind: string;
  readonly text: string;
  readonly name: string;
  readonly properties: GeocoderFeature["properties"];
}

function made({ id, lng, lat, bbox, kind, text, name, properties }: Made): GeocoderFeature {
  return {
    id,
    type: "Feature",
    geometry: { type: "Point", coordinates: [lng, lat] },
    center: [lng, lat],
    ...(bbox ? { bbox: [...bbox] } : {}),
    place_type: [kind],
    text,
    place_name: name,
    properties,
  };
}

function languageOf(language: GeocoderConfig["language"]): string | undefined {
  return typeof language === "string" ? language : language?.[0];
}

function pointOf(proximity: GeocoderConfig["proximity"]): { readonly lat?: number; readonly lng?: number } {
  if (!proximity) return {};
  if ("latitude" in proximity) return { lat: proximity.latitude, lng: proximity.longitude };
  const [lng, lat] = proximity;
  return lng === undefined || lat === undefined ? {} : { lat, lng };
}
