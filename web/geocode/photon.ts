/**
 * Answers in the shape of Photon, for programs that take the address of one.
 * @see https://github.com/komoot/photon/blob/master/docs/api-v1.md
 * @module
 */
import { type BBox, bboxContains, wrapLon } from "../../data/format/bbox.ts";
import { listOf, objectOf, textOf } from "../../data/format/json.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import type { Dataset, Feature, Suggestion } from "../engine/index.ts";
import type { RunOptions } from "../search/index.ts";
import type { Layer, PhotonReverse, PhotonSearch } from "./photon-parameters.ts";
import { addressOf, countryName, type Described, nameOf } from "./record-parts.ts";
import { type Outlineless, runReverse, townOf } from "./reverse.ts";

export interface PhotonFeature {
  readonly type: "Feature";
  readonly geometry: { readonly type: "Point"; readonly coordinates: readonly [number, number] };
  /** Those of Photon, but for the numbers of OpenStreetMap, which the data need not have; `id` is the record's. */
  readonly properties: Readonly<Record<string, string | readonly number[] | undefined>>;
}

/** Of what is left out by layer or box there may be more before than behind. */
const SPARE = 4;

/** What the text means, best first. */
export async function photonFeatures(
  dataset: Dataset,
  { text, near, bbox, lang, limit, layers }: PhotonSearch,
  options: RunOptions = {},
): Promise<PhotonFeature[]> {
  const isNarrow = bbox !== undefined || layers.length > 0;
  const middle = bbox && { lat: (bbox[1] + bbox[3]) / 2, lon: middleOf(bbox) };
  const query = { text, near: near ?? middle, language: lang, limit: isNarrow ? limit * SPARE : limit };
  const suggestions = (await dataset.suggest(query, options)).filter(
    ({ lon, lat }) => !bbox || bboxContains(bbox, lon, lat),
  );
  const found: PhotonFeature[] = [];
  for (const suggestion of suggestions) {
    if (found.length === limit) break;
    const record = await dataset.find([suggestion.collection], suggestion.id, options);
    if (record && layers.includes(layerOf(record))) found.push(shownFound(record, suggestion, lang));
  }
  return found;
}

/** What is at the point, the nearest first. */
export async function photonReverse(
  dataset: Dataset,
  { lat, lon, radiusMeters, lang, limit, layers }: PhotonReverse,
  options: RunOptions = {},
): Promise<PhotonFeature[]> {
  const asked = { circle: { lat, lon, radiusMeters }, language: lang, hasDivisions: true };
  const { address, street, place, divisions } = await runReverse(dataset, asked, options);
  const near = [address, place, street]
    .filter((record) => record !== null)
    .sort((a, b) => Number(a.properties.ext_distance) - Number(b.properties.ext_distance));
  const above = aboveOf(divisions, lang);
  return [...near, ...divisions.toReversed()]
    .filter((record) => layers.includes(layerOf(record)))
    .slice(0, limit)
    .map((record) => photonFeature(record, { point: pointOf(record) ?? [lon, lat], lang, above }));
}

function shownFound(record: Feature, { lon, lat, bbox, country }: Suggestion, lang: string | undefined): PhotonFeature {
  const above = { countrycode: country, ...hierarchyOf(record) };
  return photonFeature(record, { point: [lon, lat], bbox, lang, above });
}

type Above = Readonly<Record<string, string | undefined>>;

interface Shown {
  readonly point: readonly [number, number];
  readonly bbox?: BBox | undefined;
  readonly lang: string | undefined;
  /** What is known of town, county, state and country besides the record's own address. */
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

/** The divisions above a division, as its record tells them. */
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

/** Of a box over the antimeridian too. */
function middleOf([west, , east]: BBox): number {
  const middle = (west + (west > east ? east + 360 : east)) / 2;
  return wrapLon(middle);
}
