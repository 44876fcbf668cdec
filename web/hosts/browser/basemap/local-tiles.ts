/** Makes vector tiles of land, water, roads, buildings and divisions from the rows of the dataset in the tile. @module */

import { geoJSONToTile } from "@maplibre/geojson-vt";
import type * as GeoJSON from "geojson";
import { type BBox, bboxContains } from "../../../../data/format/bbox.ts";
import type { CollectionName } from "../../../../data/format/collections.ts";
import { parentTile, tileBBox } from "../../../../data/format/tile-id.ts";
import { type Dataset, type Feature, FetchError, type Shape } from "../../../engine/index.ts";
import { encodeTile } from "../../../tiles/index.ts";
import { COAST_ZOOM, collectionsAt, LOCAL_MAX_ZOOM, type TileAddress } from "../protocol/index.ts";
import { type Ground, landAndSea } from "./coast.ts";
import {
  type DrawnFeature,
  distinctDivisions,
  drawnFeatures,
  KEPT,
  mainRoadsAt,
  RAILS,
  ROADS_ON_LAND,
  readKept,
  townsAt,
} from "./drawn.ts";
import { groundOfRows } from "./row-ground.ts";
import { coarseSea, createSurroundings, ON_LAND } from "./surroundings.ts";
import type { LoadWorld, MakeTile } from "./world-tiles.ts";

/** Larger partitions are not read: the outline of a country can take megabytes, and the shipped world already draws it. */
const MAX_OUTLINE_BYTES = 400_000;
/** Maximum bytes of points and posting lists of roads in a coarse tile: enough for a town, not for a metropolis. */
const MAX_ROAD_BYTES = 800_000;
/** Maximum bytes of towns and waters in a tile with main roads only. */
const MAX_OVERVIEW_BYTES = 150_000;
/** Waters are drawn in overviews from this zoom on, if they are wider than this share of the tile. */
const WATERS_ZOOM = 9;
const LEAST_WATER = 1 / 256;
/** Cells of land around roads, per side of an overview. */
const OVERVIEW_CELLS = 128;
/** Divisions of one name within this distance are duplicates; in widths of a tile. */
const DIVISION_MARGIN = 1;
/** Ground is drawn this far beyond the tile, as a share of its width, to hide seams. */
const GROUND_MARGIN = 0.05;

type Surroundings = ReturnType<typeof createSurroundings>;

/** Returns a function that makes the base map tiles of zoom 7 and above. It rejects when a needed file cannot be read. */
export function localTiles(dataset: () => Promise<Dataset>, loadWorld: LoadWorld): MakeTile {
  const { surroundingsOf, coastOfOverview } = createSurroundings(loadWorld);

  return async (address, signal) => {
    const { z, x, y, language } = address;
    const opened = await dataset();
    const box = tileBBox(address);
    const layers = new Map<string, GeoJSON.Feature[]>();
    const add = ({ layer, feature }: DrawnFeature) => {
      const features = layers.get(layer);
      if (features) features.push(feature);
      else layers.set(layer, [feature]);
    };
    const draw = (features: Iterable<Feature>) => {
      for (const feature of features) for (const drawn of drawnFeatures(feature, z, box, language)) add(drawn);
    };

    const encoded = () =>
      encodeTile(
        [...layers].map(([name, features]) => {
          const options = { maxZoom: LOCAL_MAX_ZOOM, clip: true };
          return [name, geoJSONToTile({ type: "FeatureCollection", features }, z, x, y, options)];
        }),
      ).buffer;
    if (z < COAST_ZOOM) {
      for (const drawn of await readOverview(opened, address, coastOfOverview, signal)) add(drawn);
      return encoded();
    }
    const drawnAt = collectionsAt(z);
    const only = (name: CollectionName) => drawnAt.filter((drawn) => drawn === name);
    const collections = drawnAt.filter((name) => !name.startsWith("division"));
    draw(await readKept(opened, { collections, filters: { bbox: box } }, signal));
    for (const road of await readMainRoads(opened, address, signal)) add(road);
    const outlines = { collections: only("division_area"), maxPartitionBytes: MAX_OUTLINE_BYTES };
    draw(await readKept(opened, { ...outlines, filters: { bbox: box } }, signal));
    const around = { collections: only("division"), filters: { bbox: tileBBox(address, DIVISION_MARGIN) } };
    draw(distinctDivisions(await readKept(opened, around, signal)).filter((division) => isIn(division, box)));
    const parent = parentTile(address, COAST_ZOOM);
    const surroundings = await surroundingsOf(opened, parent, signal);
    const { coast, seams } = surroundings;
    const filled = coast ? landAndSea(coast, tileBBox(address, GROUND_MARGIN)) : [];
    const onLand = ON_LAND.flatMap((layer) => layers.get(layer) ?? []).filter(
      ({ properties }) => properties?.subtype !== "water",
    );
    const rows = groundOfRows(
      onLand.map(({ geometry }) => geometry),
      box,
      coarseSea(surroundings, filled),
    );
    for (const ground of [...filled, ...seams, ...rows]) add(drawnGround(ground));
    return encoded();
  };
}

function drawnGround({ kind, ring }: Ground): DrawnFeature {
  const geometry: GeoJSON.Polygon = { type: "Polygon", coordinates: [ring.map((position) => [...position])] };
  return { layer: "ground", feature: { type: "Feature", geometry, properties: { kind } } };
}

function isIn({ geometry }: Feature, box: BBox): boolean {
  return geometry.type === "Point" && bboxContains(box, ...geometry.coordinates);
}

/** Returns the main roads of a tile for which segments are not read. Empty if they take too many bytes. */
async function readMainRoads(opened: Dataset, address: TileAddress, signal: AbortSignal): Promise<DrawnFeature[]> {
  const classes = mainRoadsAt(address.z);
  const [values] = classes;
  const { collections } = await opened.manifest(signal);
  if (!values || !collections.segment) return [];
  const bbox = tileBBox(address);
  const byLists = async (): Promise<DrawnFeature[]> => {
    const wanted = { collection: "segment", facet: "class", bbox, maxBytes: MAX_ROAD_BYTES } as const;
    let shapes: readonly Shape[] | undefined;
    for (const some of classes) shapes ??= await opened.shapesIn({ ...wanted, values: some }, { signal });
    return (shapes ?? []).map(({ geometry, value }) => {
      const properties = { class: value, subtype: RAILS.has(value) ? "rail" : "road" };
      return { layer: "segment", feature: { type: "Feature", geometry: geometry as GeoJSON.Geometry, properties } };
    });
  };
  // an area saved for the map has rows, but no posting lists
  const byRows = async (): Promise<DrawnFeature[]> => {
    const filters = { bbox, terms: [values.map((value) => `class:${value}`)] };
    const rows = await readKept(opened, { collections: ["segment"], filters }, signal);
    return [...rows].flatMap((row) => drawnFeatures(row, address.z, bbox, address.language));
  };
  for (const way of [byLists, byRows]) {
    try {
      return await way();
    } catch (error) {
      if (!(error instanceof FetchError) || signal.aborted) throw error;
    }
  }
  return [];
}

/** Roads of an overview: main roads, and where the coarse coast is near, land around all roads. */
async function readOverview(
  opened: Dataset,
  address: TileAddress,
  coastOfOverview: Surroundings["coastOfOverview"],
  signal: AbortSignal,
): Promise<DrawnFeature[]> {
  const { collections } = await opened.manifest(signal);
  const box = tileBBox(address);
  const draw = (features: Iterable<Feature>) =>
    [...features].flatMap((feature) => drawnFeatures(feature, address.z, box, address.language));
  const inBox = async (collection: "division" | "water", bbox: BBox, leastSize: readonly [number, number]) => {
    if (!collections[collection]) return [];
    const query = { collection, bbox, maxBytes: MAX_OVERVIEW_BYTES, leastSize };
    return [...(await opened.inBox(query, { signal })).features(KEPT)];
  };
  const towns = townsAt(address.z, await inBox("division", tileBBox(address, DIVISION_MARGIN), [0, 0]));
  const least = LEAST_WATER * (box[2] - box[0]);
  const waters = address.z < WATERS_ZOOM ? [] : await inBox("water", box, [least, least]);
  const [main = []] = mainRoadsAt(address.z);
  const { coast, coarse, detailed } = await coastOfOverview(opened, address, signal);
  const isCoastal = coarse !== undefined && coarse.coast.length > 0;
  const values = isCoastal ? ROADS_ON_LAND : main;
  const query = { collection: "segment", facet: "class", bbox: box, values, maxBytes: MAX_ROAD_BYTES } as const;
  const shapes = (collections.segment && (await opened.shapesIn(query, { signal }))) || [];
  const roads = shapes.flatMap(({ geometry, value }): DrawnFeature[] => {
    if (!main.includes(value)) return [];
    const properties = { class: value, subtype: "road" };
    return [{ layer: "segment", feature: { type: "Feature", geometry: geometry as GeoJSON.Geometry, properties } }];
  });
  const filled = coast ? landAndSea(coast, tileBBox(address, GROUND_MARGIN)) : [];
  const isSea = coarseSea({ coast, coarse, detailed }, filled);
  const geometries = shapes.map(({ geometry }) => geometry as GeoJSON.Geometry);
  return [
    ...draw(distinctDivisions(towns).filter((town) => isIn(town, box))),
    ...draw(waters.filter(({ geometry }) => geometry.type.endsWith("Polygon"))),
    ...roads,
    ...[...filled, ...groundOfRows(geometries, box, isSea, OVERVIEW_CELLS)].map(drawnGround),
  ];
}
