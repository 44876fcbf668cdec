/**
 * Answers in the format of Photon, for programs that can use another server.
 * @see https://github.com/komoot/photon/blob/master/docs/api-v1.md
 * @module
 */
import { type BBox, bboxContains, wrapLon } from "../../data/format/bbox.ts";
import { listOf, objectOf, textOf } from "../../data/format/json.ts";
import type { Manifest } from "../../data/format/manifest.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import type { Circle, Dataset, Feature, Suggestion } from "../engine/index.ts";
import type { RunOptions } from "../search/index.ts";
import { hasTags, hasWantedTags, mayBe, type OsmTags, placeTerms, roadTerms } from "./osm-tags.ts";
import type { Layer, PhotonReverse, PhotonSearch } from "./photon-parameters.ts";
import { addressOf, countryName, type Described, nameOf } from "./record-parts.ts";
import { isStreet, type Outlineless, runReverse, townOf } from "./reverse.ts";
import { recordOf } from "./words.ts";

export interface PhotonFeature {
  readonly type: "Feature";
  readonly geometry: { readonly type: "Point"; readonly coordinates: readonly [number, number] };
  /**
   * As Photon's, except the OpenStreetMap ids, which the data may lack. `id` is the record's, and `ext_unused`
   * contains the words of the text that the answer does not use.
   */
  readonly properties: Readonly<Record<string, string | readonly number[] | readonly string[] | undefined>>;
}

/** Layer and tags of a division are known only from its record, so more suggestions are looked up. */
const SPARE = 4;

/** Unnamed paths are around every street. */
const SPARE_ROADS = 32;

const LAYERS_OF_KIND: Readonly<Record<Suggestion["kind"], readonly Layer[]>> = {
  address: ["house"],
  place: ["house"],
  street: ["street"],
  country: ["country"],
  division: ["locality", "district", "city", "county", "state", "country", "other"],
  category: [],
};

/** Returns what the text can mean, best first. */
export async function photonFeatures(
  dataset: Dataset,
  { text, near, bbox, countries, lang, limit, layers, tags }: PhotonSearch,
  options: RunOptions = {},
): Promise<PhotonFeature[]> {
  const middle = bbox && { lat: (bbox[1] + bbox[3]) / 2, lon: middleOf(bbox) };
  const isWanted = ({ kind, country, lon, lat }: Suggestion): boolean =>
    LAYERS_OF_KIND[kind].some((layer) => layers.includes(layer)) &&
    mayBe(tags, kind) &&
    (countries.length === 0 || countries.includes(country)) &&
    (!bbox || bboxContains(bbox, lon, lat));
  const query = {
    text,
    near: near ?? middle,
    country: countries.length === 1 ? countries[0] : undefined,
    language: lang,
    limit: limit * SPARE,
    inAnyLanguage: true,
    isWanted,
    placeTerms: placeTerms(tags),
  };
  const found: PhotonFeature[] = [];
  for (const suggestion of await dataset.suggest(query, options)) {
    if (found.length === limit) break;
    const record = await recordOf(dataset, suggestion, options);
    if (layers.includes(layerOf(record)) && hasWantedTags(record, tags))
      found.push(shownFound(record, suggestion, lang));
  }
  return found;
}

/** Returns what is at the point, nearest first. */
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

/** Returns the status with the date of the release. */
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
        const nearest = limit * SPARE + (collection === "segment" ? SPARE_ROADS : 0);
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

type Above = Readonly<Record<string, string | undefined>>;

interface Shown {
  readonly point: readonly [number, number];
  readonly bbox?: BBox | undefined;
  readonly lang: string | undefined;
  /** Town, county, state and country that the record's own address lacks. */
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

function hierarchyOf({ properties }: Described): Above {
  const [first] = listOf(properties.hierarchies);
  const above = listOf(first).map(objectOf);
  const named = (subtype: string) => textOf(above.find((each) => each?.subtype === subtype)?.name);
  return { city: named("locality"), county: named("county"), state: named("region") };
}

function aboveOf(divisions: readonly Described[], lang: string | undefined): Above {
  const named = (subtype: string) => {
    const found = divisions.find(({ properties }) => properties.subtype === subtype);
    return found && nameOf(found, lang);
  };
  return {
    city: townOf(divisions, lang),
    county: named("county"),
    state: named("region"),
    countrycode: textOf(divisions[0]?.properties.country),
  };
}

const LAYER_OF_SUBTYPE: Readonly<Record<string, Layer>> = {
  country: "country",
  dependency: "country",
  macroregion: "state",
  region: "state",
  macrocounty: "county",
  county: "county",
  localadmin: "city",
  locality: "city",
  borough: "district",
  macrohood: "district",
  neighborhood: "locality",
  microhood: "locality",
};

function layerOf({ properties }: Described): Layer {
  if (properties.type === "address" || properties.type === "place") return "house";
  if (properties.type === "segment") return "street";
  return LAYER_OF_SUBTYPE[String(properties.subtype)] ?? "other";
}

function pointOf({ geometry }: Feature | Outlineless): readonly [number, number] | undefined {
  const [lon, lat] = (geometry && representativePoint(geometry)) ?? [];
  return lon === undefined || lat === undefined ? undefined : [lon, lat];
}

/** Also for a box across the antimeridian. */
function middleOf([west, , east]: BBox): number {
  const middle = (west + (west > east ? east + 360 : east)) / 2;
  return wrapLon(middle);
}
