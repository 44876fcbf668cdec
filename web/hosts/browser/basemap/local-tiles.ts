/**
 * Vector tiles of base, transportation, buildings and divisions, made from the partitions whose boxes meet the tile.
 * @module
 */

import { geoJSONToTile } from "@maplibre/geojson-vt";
import type * as GeoJSON from "geojson";
import { type BBox, bboxContains } from "../../../../data/format/bbox.ts";
import type { CollectionName } from "../../../../data/format/collections.ts";
import { bboxOf, type Position } from "../../../../data/format/geometry.ts";
import { parentTile, type TileId, tileBBox } from "../../../../data/format/tile-id.ts";
import {
  type BoxMember,
  createMemo,
  type Dataset,
  type Feature,
  FetchError,
  type Query,
  type RowCondition,
  type Shape,
} from "../../../engine/index.ts";
import { encodeTile } from "../../../tiles/index.ts";
import { COAST_ZOOM, collectionsAt, LOCAL_MAX_ZOOM, type TileAddress } from "../protocol/index.ts";
import { type CoarseLand, coarseLandIn } from "./coarse-land.ts";
import { type Coast, coastOf, type Ground, grow, joinLines, kindAt, type Line, landAndSea } from "./coast.ts";
import {
  type DrawnFeature,
  distinctDivisions,
  drawnFeatures,
  KEPT,
  mainRoadsAt,
  RAILS,
  ROADS_ON_LAND,
  townsAt,
} from "./drawn.ts";
import { isWhole, joinCoasts } from "./joined-coast.ts";
import { groundOfRows } from "./row-ground.ts";
import { seamsOf } from "./seams.ts";
import type { World } from "./world.ts";
import type { LoadWorld, MakeTile } from "./world-tiles.ts";

// A dense city has about 10,000 features in a tile of zoom 14.
const MAX_FEATURES = 50_000;
/**
 * The outline of a country can take megabytes, and the shipped world already draws it. Most partitions are below 256
 * KiB.
 */
const MAX_OUTLINE_BYTES = 400_000;
/** Limit for points and posting lists of roads in a coarse tile: enough for a town, too small for a metropolis. */
const MAX_ROAD_BYTES = 800_000;
/** Limit for the towns and waters of a tile with main roads only. */
const MAX_OVERVIEW_BYTES = 150_000;
/** Waters are drawn in overviews from this zoom on, if they are wider than this share of the tile. */
const WATERS_ZOOM = 9;
const LEAST_WATER = 1 / 256;
/** Cells of land around roads, per side of an overview. */
const OVERVIEW_CELLS = 128;
const COAST_MARGIN = 0.3;
/** Width of a tile in which a coast is computed. */
const COAST_TILE_DEGREES = 360 / 2 ** COAST_ZOOM;
/** Distance beyond its end at which a detailed coast may decide for rows, and then the distance to the coarse coast. */
const COAST_REACH_DEGREES = 0.12 * COAST_TILE_DEGREES;
/** Roads in the sea this near to the detailed coast are on piers. */
const PIER_DEGREES = 0.02 * COAST_TILE_DEGREES;
/** Below the margin, so that a neighbouring tile knows the same end of a coast. */
const MOST_LEAD_DEGREES = 0.25 * COAST_TILE_DEGREES;
/** Limit for the detailed coast of an overview. */
const MAX_COAST_BYTES = 300_000;
/** Divisions of one name within this distance are duplicates. In tiles. */
const DIVISION_MARGIN = 1;
/** Hides seams between filled tiles. */
const GROUND_MARGIN = 0.05;

interface Surroundings {
  readonly coast: Coast | undefined;
  /** The bbox of the detailed coastlines and their piers, in which rows do not make land. Undefined without such lines. */
  readonly detailed?: BBox | undefined;
  /** Undefined if the world file could not be loaded. It is then not drawn. */
  readonly coarse: CoarseLand | undefined;
  readonly seams: readonly Ground[];
}

const ON_LAND = ["segment", "building"] as const;

/** Returns a function that makes tiles from the dataset. Rejects when a needed file cannot be read. */
export function localTiles(dataset: () => Promise<Dataset>, loadWorld: LoadWorld): MakeTile {
  const surroundings = createMemo<Surroundings>();

  async function read(
    opened: Dataset,
    query: Pick<Query, "collections" | "filters" | "maxPartitionBytes">,
    signal: AbortSignal,
  ) {
    const { collections: present } = await opened.manifest(signal);
    const collections = query.collections.filter((name) => present[name]);
    if (collections.length === 0) return [];
    const found = await opened.search({ ...query, collections, offset: 0, limit: MAX_FEATURES }, { signal });
    return found.features(KEPT);
  }

  /** Cached per tile of `COAST_ZOOM`. */
  async function surroundingsOf(opened: Dataset, around: TileId, signal: AbortSignal): Promise<Surroundings> {
    const key = `${around.x}/${around.y}`;
    try {
      return await surroundings.get(key, (own) => lookAround(opened, around, { signal: own }), signal);
    } catch (error) {
      if (signal.aborted) throw error;
      // use only the coastlines until the rest can be read
      return lookAround(opened, around, { signal, fallback: true });
    }
  }

  async function lookAround(
    opened: Dataset,
    around: TileId,
    { signal, fallback = false }: { readonly signal: AbortSignal; readonly fallback?: boolean },
  ): Promise<Surroundings> {
    const known = tileBBox(around, COAST_MARGIN);
    const orElse = <T>(work: Promise<T>, other: T) => (fallback ? work.catch(() => other) : work);
    const [lines, world] = await Promise.all([
      readCoast(opened, known, signal),
      orElse<World | undefined>(loadWorld(signal), undefined),
    ]);
    const coarse = world && coarseLandIn(world, known);
    const whole = wholeCoast(lines, coarse, known);
    if (whole) return whole;
    const rows = await orElse(boxesOnLand(opened, known, signal), []);
    const coast = coastOf(lines, { known, rows, reach: COAST_REACH_DEGREES });
    return {
      coast,
      detailed: coast?.extent,
      coarse,
      seams: coast && coarse ? seamsOf(coast, coarse, COAST_REACH_DEGREES) : [],
    };
  }

  async function boxesOnLand(opened: Dataset, known: BBox, signal: AbortSignal): Promise<readonly BBox[]> {
    const { collections } = await opened.manifest(signal);
    const [west, south, east, north] = known;
    const meets = (member: BoxMember, comparison: "<=" | ">=", value: number): RowCondition => ({
      kind: "box",
      member,
      comparison,
      value,
    });
    const condition: RowCondition = {
      kind: "all",
      of: [
        meets("xmin", "<=", east),
        meets("xmax", ">=", west),
        meets("ymin", "<=", north),
        meets("ymax", ">=", south),
      ],
    };
    const wanted = ON_LAND.filter((collection) => collections[collection]).map((collection) => ({
      collection,
      condition,
    }));
    const { partitions } = await opened.partitions(wanted, { signal });
    return partitions.map(({ node }) => node.bbox);
  }

  async function readCoast(opened: Dataset, known: BBox, signal: AbortSignal): Promise<readonly Line[]> {
    const filters = { bbox: known, terms: [["class:coastline"]] };
    const features = await read(opened, { collections: ["water"], filters }, signal);
    return [...features].flatMap(({ geometry }) => linesOf(geometry));
  }

  /** Main roads of a tile too coarse to read all segments. Empty when that would read too many bytes. */
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
      const rows = await read(opened, { collections: ["segment"], filters }, signal);
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

  /** The detailed coast, joined with the coarse one, if it is small enough; otherwise the coarse coast. */
  async function coastOfOverview(opened: Dataset, address: TileAddress, signal: AbortSignal): Promise<Surroundings> {
    const margin = COAST_MARGIN * 2 ** (address.z - COAST_ZOOM);
    const known = tileBBox(address, margin);
    const { collections } = await opened.manifest(signal);
    const query = { facet: "class", values: ["coastline"], bbox: known, maxBytes: MAX_COAST_BYTES } as const;
    const [shapes, world] = await Promise.all([
      collections.water && opened.shapesIn({ collection: "water", ...query }, { signal }),
      loadWorld(signal).catch(() => undefined),
    ]);
    signal.throwIfAborted();
    const coarse = world && coarseLandIn(world, known);
    const lines = (shapes ?? []).flatMap(({ geometry }) => linesOf(geometry));
    return wholeCoast(lines, coarse, known) ?? wholeCoast([], coarse, known) ?? { coast: undefined, coarse, seams: [] };
  }

  /** Roads of an overview: main roads, and where the coarse coast is near, land around all roads. */
  async function readOverview(opened: Dataset, address: TileAddress, signal: AbortSignal): Promise<DrawnFeature[]> {
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
      for (const drawn of await readOverview(opened, address, signal)) add(drawn);
      return encoded();
    }
    const drawnAt = collectionsAt(z);
    const only = (name: CollectionName) => drawnAt.filter((drawn) => drawn === name);
    const collections = drawnAt.filter((name) => !name.startsWith("division"));
    draw(await read(opened, { collections, filters: { bbox: box } }, signal));
    for (const road of await readMainRoads(opened, address, signal)) add(road);
    const outlines = { collections: only("division_area"), maxPartitionBytes: MAX_OUTLINE_BYTES };
    draw(await read(opened, { ...outlines, filters: { bbox: box } }, signal));
    const around = { collections: only("division"), filters: { bbox: tileBBox(address, DIVISION_MARGIN) } };
    draw(distinctDivisions(await read(opened, around, signal)).filter((division) => isIn(division, box)));
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

function linesOf(geometry: Feature["geometry"]): readonly Line[] {
  if (geometry.type === "LineString") return [geometry.coordinates];
  return geometry.type === "MultiLineString" ? geometry.coordinates : [];
}

/** Returns whether a position is in the sea by the coarse coast. */
function coarseSea(
  { coast, detailed, coarse }: Omit<Surroundings, "seams">,
  filled: readonly Ground[],
): (position: Position) => boolean {
  return (position) => {
    if (detailed && bboxContains(detailed, ...position)) return false;
    if (coast && !coast.extent) return kindAt(filled, position) === "sea";
    return coarse !== undefined && !coarse.contains(position);
  };
}

/**
 * The coast that decides everywhere in the bbox: detailed, coarse, or joined of both. Undefined if the lines do not fit
 * together.
 */
function wholeCoast(lines: readonly Line[], coarse: CoarseLand | undefined, known: BBox): Surroundings | undefined {
  const fine = joinLines(lines);
  const detailed = bboxOf({ type: "MultiLineString", coordinates: fine });
  const others = joinLines(coarse?.coast ?? []);
  if (!detailed) return { coast: isWhole(others, known) ? { chains: others } : undefined, coarse, seams: [] };
  if (isWhole(fine, known)) return { coast: { chains: fine }, detailed: known, coarse, seams: [] };
  const chains = joinCoasts(fine, others, { known, least: COAST_REACH_DEGREES, most: MOST_LEAD_DEGREES });
  return chains && { coast: { chains }, detailed: grow(detailed, PIER_DEGREES), coarse, seams: [] };
}

function drawnGround({ kind, ring }: Ground): DrawnFeature {
  const geometry: GeoJSON.Polygon = { type: "Polygon", coordinates: [ring.map((position) => [...position])] };
  return { layer: "ground", feature: { type: "Feature", geometry, properties: { kind } } };
}

function isIn({ geometry }: Feature, box: BBox): boolean {
  return geometry.type === "Point" && bboxContains(box, ...geometry.coordinates);
}
