/** Vector tiles of the dataset's own base, transportation, buildings and divisions, from the partitions whose boxes meet the tile. @module */

import { geoJSONToTile } from "@maplibre/geojson-vt";
import type * as GeoJSON from "geojson";
import { type BBox, bboxContains } from "../../../../data/format/bbox.ts";
import type { CollectionName } from "../../../../data/format/collections.ts";
import { parentTile, type TilePlace, tileBBox } from "../../../../data/format/tile-place.ts";
import { createMemo, type Dataset, type Feature, FetchError, type Query, type Shape } from "../../../engine/index.ts";
import { encodeTile } from "../../../tiles/index.ts";
import { collectionsAt, LOCAL_MAX_ZOOM, type TileAddress } from "../protocol/index.ts";
import { type Line, landAndSea } from "./coast.ts";
import { type DrawnFeature, distinctDivisions, drawnFeatures, KEPT, mainRoadsAt, RAILS } from "./drawn.ts";
import type { MakeTile } from "./world-tiles.ts";

// A dense city has some 10,000 features in a tile of zoom 14.
const MAX_FEATURES = 50_000;
/** A country's outline can weigh megabytes; the shipped world draws it. Most partitions weigh less than 256 KiB. */
const MAX_OUTLINE_BYTES = 400_000;
/** Of points and lists, for the roads of a coarse tile: those of a town, and not of a metropolis. */
const MAX_ROAD_BYTES = 800_000;
/** All tiles in one of this zoom know the same coastlines, and so agree on where the land is. */
const COAST_ZOOM = 11;
const COAST_MARGIN = 0.15;
/** How near divisions of one name are taken for one, in tiles. */
const DIVISION_MARGIN = 1;
/** So that no seam shows between filled tiles. */
const GROUND_MARGIN = 0.05;

export function localTiles(dataset: () => Promise<Dataset>): MakeTile {
  const coasts = createMemo<readonly Line[]>();

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

  async function readCoast(opened: Dataset, around: TilePlace, signal: AbortSignal): Promise<readonly Line[]> {
    const filters = { bbox: tileBBox(around, COAST_MARGIN), terms: [["class:coastline"]] };
    const features = await read(opened, { collections: ["water"], filters }, signal);
    return [...features].flatMap(({ geometry }) =>
      geometry.type === "LineString"
        ? [geometry.coordinates]
        : geometry.type === "MultiLineString"
          ? geometry.coordinates
          : [],
    );
  }

  /** Roads of a tile too coarse to read all that is known of them; none where that takes too much. */
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
    // an area that is saved to be drawn has rows, and no lists
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
    const coast = await coasts.get(
      `${parent.x}/${parent.y}`,
      (workSignal) => readCoast(opened, parent, workSignal),
      signal,
    );
    const known = tileBBox(parent, COAST_MARGIN);
    for (const { kind, ring } of landAndSea(coast, tileBBox(address, GROUND_MARGIN), known)) {
      const geometry: GeoJSON.Polygon = { type: "Polygon", coordinates: [ring.map((position) => [...position])] };
      add({ layer: "ground", feature: { type: "Feature", geometry, properties: { kind } } });
    }

    return encodeTile(
      [...layers].map(([name, features]) => {
        const options = { maxZoom: LOCAL_MAX_ZOOM, clip: true };
        return [name, geoJSONToTile({ type: "FeatureCollection", features }, z, x, y, options)];
      }),
    ).buffer;
  };
}

function isIn({ geometry }: Feature, box: BBox): boolean {
  return geometry.type === "Point" && bboxContains(box, ...geometry.coordinates);
}
