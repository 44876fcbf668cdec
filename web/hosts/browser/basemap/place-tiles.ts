/** Vector tiles of places, bus stops and house numbers, as points with what the style needs. @module */
import { geoJSONToTile } from "@maplibre/geojson-vt";
import type * as GeoJSON from "geojson";
import { bboxContains } from "../../../../data/format/bbox.ts";
import { listOf, objectOf } from "../../../../data/format/json.ts";
import { tileBBox } from "../../../../data/format/tile-id.ts";
import { type Dataset, type Feature, nextTask } from "../../../engine/index.ts";
import { encodeTile } from "../../../tiles/index.ts";
import { PLACES_MAX_ZOOM, STOPS_MIN_ZOOM, type TileAddress } from "../protocol/index.ts";
import { nameIn } from "./drawn.ts";
import { groupOf, iconOf } from "./place-icons.ts";
import type { MakeTile } from "./world-tiles.ts";

/** Limit on bytes read per tile and collection: enough for a tile of zoom 16 in a dense city. */
const MAX_BYTES = 400_000;
/** Maximum number of places on a tile: as many as fit without covering each other. */
const MAX_PLACES = 1500;
const MAX_STOPS = 500;
const CLOSED = "permanently_closed";
const KEPT = new Set(["names", "categories", "taxonomy", "basic_category", "confidence", "operating_status", "number"]);
const STOPS = ["bus_stop", "bus_station", "railway_station", "railway_halt", "subway_station", "ferry_terminal"];

/** Returns a function that makes tiles of places, bus stops and house numbers. It rejects when a needed file cannot be read. */
export function placeTiles(dataset: () => Promise<Dataset>): MakeTile {
  return async (address, signal) => {
    const opened = await dataset();
    const { z, x, y, language } = address;
    const inBox = async (collection: "place" | "address") => {
      const { collections } = await opened.manifest(signal);
      if (!collections[collection]) return [];
      const query = { collection, bbox: tileBBox(address), maxBytes: MAX_BYTES };
      return within(address, (await opened.inBox(query, { signal })).features(KEPT));
    };
    const places = placePoints(await inBox("place"), language);
    await nextTask();
    const stops = z < STOPS_MIN_ZOOM ? [] : stopPoints(await readStops(opened, address, signal), language);
    const houses = z < PLACES_MAX_ZOOM ? [] : housePoints(await inBox("address"));
    return encodeTile(
      Object.entries({ place: places, stop: stops, house: houses }).map(([name, features]) => [
        name,
        geoJSONToTile({ type: "FeatureCollection", features }, z, x, y, { maxZoom: PLACES_MAX_ZOOM }),
      ]),
    ).buffer;
  };
}

async function readStops(opened: Dataset, address: TileAddress, signal: AbortSignal): Promise<Feature[]> {
  const { collections } = await opened.manifest(signal);
  if (!collections.infrastructure) return [];
  const filters = { bbox: tileBBox(address), terms: [STOPS.map((value) => `class:${value}`)] };
  const query = { collections: ["infrastructure"] as const, filters, offset: 0, limit: MAX_STOPS };
  return within(address, (await opened.search(query, { signal })).features(new Set([...KEPT, "class"])));
}

/** A point belongs to one tile, so that no label is drawn twice. */
function within(address: TileAddress, features: Iterable<Feature>): Feature[] {
  const box = tileBBox(address);
  return [...features].filter(
    ({ geometry }) => geometry.type === "Point" && bboxContains(box, ...geometry.coordinates),
  );
}

/**
 * Returns points of the places that have a name and are not closed for ever, highest confidence first, at most 1500. Names are in
 * the language (BCP 47) if a place has it.
 */
export function placePoints(places: readonly Feature[], language: string): GeoJSON.Feature[] {
  const made = places.flatMap(({ id, geometry, properties }): GeoJSON.Feature[] => {
    const name = nameIn(properties.names as never, language);
    if (name === undefined || properties.operating_status === CLOSED) return [];
    const icon = iconOf(categoriesOf(properties));
    const rank = Number(properties.confidence ?? 0);
    return [point(geometry, { id, name, icon: `${groupOf(icon)}/${icon}`, group: groupOf(icon), rank })];
  });
  const rankOf = ({ properties }: GeoJSON.Feature) => Number(properties?.rank);
  return made.sort((a, b) => rankOf(b) - rankOf(a)).slice(0, MAX_PLACES);
}

/** The categories of a place, the narrowest first. */
function categoriesOf({ categories, taxonomy, basic_category: basic }: Feature["properties"]): string[] {
  const levels = listOf(objectOf(taxonomy)?.hierarchy).toReversed();
  return [objectOf(categories)?.primary, ...levels.slice(0, -1), basic, ...levels.slice(-1)].filter(
    (one) => typeof one === "string",
  );
}

function stopPoints(stops: readonly Feature[], language: string): GeoJSON.Feature[] {
  return stops.map(({ id, geometry, properties }) => {
    const icon = iconOf([String(properties.class).replace("railway_halt", "railway_station")]);
    const name = nameIn(properties.names as never, language);
    return point(geometry, { id, icon: `travel/${icon}`, ...(name === undefined ? {} : { name }) });
  });
}

function housePoints(addresses: readonly Feature[]): GeoJSON.Feature[] {
  return addresses.flatMap(({ id, geometry, properties: { number } }) =>
    typeof number === "string" && number !== "" ? [point(geometry, { id, number })] : [],
  );
}

function point(geometry: Feature["geometry"], properties: GeoJSON.GeoJsonProperties): GeoJSON.Feature {
  return { type: "Feature", geometry: geometry as GeoJSON.Geometry, properties };
}
