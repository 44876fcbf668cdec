/**
 * Answers in the format of Photon, for programs that can use another server.
 * @see https://github.com/komoot/photon/blob/master/docs/api-v1.md
 * @module
 */
import { type BBox, bboxContains } from "../../data/format/bbox.ts";
import type { Manifest } from "../../data/format/manifest.ts";
import type { Circle, Dataset, Feature, Suggestion } from "../engine/index.ts";
import type { RunOptions } from "../search/index.ts";
import { type Above, aboveOf, hierarchyOf, layerOf, pointOf, recordsFound, SPARE_RECORDS } from "./located.ts";
import { hasTags, hasWantedTags, mayBe, type OsmTags, placeTerms, roadTerms } from "./osm-tags.ts";
import type { PhotonReverse, PhotonSearch } from "./photon-parameters.ts";
import { addressOf, countryName, type Described, nameOf } from "./record-parts.ts";
import { DEFAULT_REVERSE_METERS, isStreet, runReverse } from "./reverse.ts";
import { positionOf } from "./typed-position.ts";

export interface PhotonFeature {
  readonly type: "Feature";
  readonly geometry: { readonly type: "Point"; readonly coordinates: readonly [number, number] };
  /**
   * Photon's properties without the ids of OpenStreetMap, which the data may lack. `id` is the record's id, and `ext_unused` has
   * the words of the text that the answer does not use.
   */
  readonly properties: Readonly<Record<string, string | readonly number[] | readonly string[] | undefined>>;
}

/** Additional roads looked up, because unnamed paths are around every street. */
const SPARE_ROADS = 32;

/** Returns what the text can mean, best first, at most `limit`. A text that states a position finds what is within 1 km of it. */
export async function photonFeatures(
  dataset: Dataset,
  { text, near, bbox, countries, lang, limit, layers, tags }: PhotonSearch,
  options: RunOptions = {},
): Promise<PhotonFeature[]> {
  const point = await positionOf(dataset, { text, near, language: lang }, options);
  if (point) {
    const there = { ...point, radiusMeters: DEFAULT_REVERSE_METERS, lang, limit, layers, tags };
    const around = await photonReverse(dataset, there, options);
    return around.filter(
      ({ geometry, properties }) =>
        (!bbox || bboxContains(bbox, ...geometry.coordinates)) &&
        (countries.length === 0 || countries.includes(String(properties.countrycode))),
    );
  }
  const found: PhotonFeature[] = [];
  const asked = {
    ...{ text, near, bbox, countries, language: lang, limit, layers, placeTerms: placeTerms(tags) },
    isWanted: ({ kind }: Suggestion) => mayBe(tags, kind),
  };
  for await (const { record, suggestion } of recordsFound(dataset, asked, options)) {
    if (!hasWantedTags(record, tags)) continue;
    if (found.push(shownFound(record, suggestion, lang)) === limit) break;
  }
  return found;
}

/** Returns what is around the point, nearest first, then the divisions that contain it, narrowest first. At most `limit`. */
export async function photonReverse(
  dataset: Dataset,
  { lat, lon, radiusMeters, lang, limit, layers, tags }: PhotonReverse,
  options: RunOptions = {},
): Promise<PhotonFeature[]> {
  const circle = { lat, lon, radiusMeters };
  const { address, street, place, divisions } = await runReverse(
    dataset,
    { circle, language: lang, hasDivisions: true },
    options,
  );
  const around = hasTags(tags)
    ? await taggedAround(dataset, { circle, limit, tags }, options)
    : [address, place, street];
  const near = around
    .filter((record) => record !== null)
    .sort((a, b) => Number(a.properties.ext_distance) - Number(b.properties.ext_distance));
  const above = aboveOf(divisions, lang);
  return [...near, ...divisions.toReversed()]
    .filter((record) => layers.includes(layerOf(record)) && hasWantedTags(record, tags))
    .slice(0, limit)
    .map((record) => photonFeature(record, { point: pointOf(record) ?? [lon, lat], lang, above }));
}

export interface PhotonStatus {
  readonly status: "Ok";
  /** The date of the release, if its name starts with one. */
  readonly import_date: string | null;
  readonly release: string;
}

/** Returns the status with the release and its date; the date is null if the name of the release does not start with one. */
export function photonStatus({ release }: Pick<Manifest, "release">): PhotonStatus {
  const [day] = /^\d{4}-\d{2}-\d{2}(?=\.|$)/.exec(release) ?? [];
  return { status: "Ok", import_date: day === undefined ? null : `${day}T00:00:00Z`, release };
}

async function taggedAround(
  dataset: Dataset,
  { circle, limit, tags }: { readonly circle: Circle; readonly limit: number; readonly tags: OsmTags },
  options: RunOptions,
): Promise<Feature[]> {
  const { collections } = await dataset.manifest(options.signal);
  const kinds = [
    { kind: "address", collection: "address", terms: undefined },
    { kind: "place", collection: "place", terms: placeTerms(tags) },
    { kind: "street", collection: "segment", terms: roadTerms(tags) },
  ] as const;
  const found = await Promise.all(
    kinds
      .filter(({ kind, collection }) => mayBe(tags, kind) && collections[collection])
      .map(async ({ collection, terms }) => {
        const nearest = limit * SPARE_RECORDS + (collection === "segment" ? SPARE_ROADS : 0);
        const filters = terms ? { filters: { terms: [terms] } } : {};
        const query = { collections: [collection], circle, nearest, offset: 0, limit: nearest, ...filters };
        return [...(await dataset.search(query, options)).features()];
      }),
  );
  return found.flat().filter((record) => record.properties.type !== "segment" || isStreet(record));
}

function shownFound(record: Feature, suggestion: Suggestion, lang: string | undefined): PhotonFeature {
  const { lon, lat, bbox, country, unused } = suggestion;
  const above = { countrycode: country, ...hierarchyOf(record) };
  const { properties, ...feature } = photonFeature(record, { point: [lon, lat], bbox, lang, above });
  return { ...feature, properties: { ...properties, ext_unused: unused } };
}

interface Shown {
  readonly point: readonly [number, number];
  readonly bbox?: BBox | undefined;
  readonly lang: string | undefined;
  /** Town, county, state and country, for parts that the record's own address lacks. */
  readonly above: Above;
}

function photonFeature(record: Described, { point, bbox, lang, above }: Shown): PhotonFeature {
  const { street, number, postcode, locality, region, country = above.countrycode } = addressOf(record);
  const isStreet = record.properties.type === "segment";
  const layer = layerOf(record);
  const [west, south, east, north] = bbox ?? [];
  return {
    type: "Feature",
    geometry: { type: "Point", coordinates: point },
    properties: {
      id: record.id,
      type: layer,
      name: nameOf(record, lang),
      street: isStreet ? undefined : street,
      housenumber: number,
      postcode,
      city: locality ?? (layer === "city" ? undefined : above.city),
      county: above.county,
      state: region ?? above.state,
      country: countryName(country, lang),
      countrycode: country,
      // west, north, east, south
      ...(west === undefined ? {} : { extent: [west, north ?? 0, east ?? 0, south ?? 0] }),
    },
  };
}
