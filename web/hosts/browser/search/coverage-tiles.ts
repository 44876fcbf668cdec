/**
 * Shows where a dataset has rows, as vector tiles of low zooms: a point in each square of 16 pixels that has some.
 * @module
 */
import { geoJSONToTile } from "@maplibre/geojson-vt";
import type * as GeoJSON from "geojson";
import { type BBox, bboxUnion, splitAtAntimeridian } from "../../../../data/format/bbox.ts";
import { type TileId, tileBBox } from "../../../../data/format/tile-id.ts";
import type { RowBox } from "../../../engine/index.ts";
import { encodeTile } from "../../../tiles/index.ts";

/** A tile is 512 pixels wide. */
const SQUARES = 32;
const SQUARES_ZOOM = Math.log2(SQUARES);
const INDEXES = Array.from({ length: SQUARES }, (_, index) => index);

/** Wider boxes are too imprecise: the box of a country covers much sea, and that of its islands half of the globe. */
const WIDEST_DEGREES = 5;
/** With a smaller share of rows in precise boxes, the missing points would look like areas without data. */
const LEAST_TOLD = 0.9;

/** Returns a tile with the layer `coverage`; empty where no box overlaps it, or where boxes are too imprecise. */
export function coverageTile(boxes: readonly RowBox[], tile: TileId): ArrayBuffer {
  const features = coveredPoints(tellingBoxes(boxes), tile).map(
    (coordinates): GeoJSON.Feature => ({ type: "Feature", properties: {}, geometry: { type: "Point", coordinates } }),
  );
  const { z, x, y } = tile;
  const made = geoJSONToTile({ type: "FeatureCollection", features }, z, x, y, { maxZoom: z, clip: true });
  return encodeTile([["coverage", made]]).buffer;
}

/** Returns the boxes that are narrow enough. Empty if too many rows are in wider ones. */
export function tellingBoxes(boxes: readonly RowBox[]): readonly RowBox[] {
  const telling = boxes.filter(({ bbox: [west, south, east, north] }) => {
    const width = east < west ? east + 360 - west : east - west;
    return Math.max(width, north - south) <= WIDEST_DEGREES;
  });
  const rowsOf = (some: readonly RowBox[]) => some.reduce((sum, { rows }) => sum + rows, 0);
  return rowsOf(telling) < LEAST_TOLD * rowsOf(boxes) ? [] : telling;
}

/** Returns the middle of the covered part of each square of the tile; a small box gives its own middle. */
export function coveredPoints(boxes: readonly Pick<RowBox, "bbox">[], { z, x, y }: TileId): GeoJSON.Position[] {
  const squareAt = (column: number, row: number) =>
    tileBBox({ z: z + SQUARES_ZOOM, x: x * SQUARES + column, y: y * SQUARES + row });
  // longitudes of columns are the same in all rows, latitudes of rows in all columns
  const spans = INDEXES.map((index) => squareAt(index, index));
  const covered = new Map<number, BBox>();
  for (const box of boxes.flatMap(({ bbox }) => splitAtAntimeridian(bbox))) {
    const [boxWest, boxSouth, boxEast, boxNorth] = box;
    const columns = INDEXES.filter((index) => {
      const [west, , east] = spans[index] ?? box;
      return west <= boxEast && boxWest < east;
    });
    const rows = INDEXES.filter((index) => {
      const [, south, , north] = spans[index] ?? box;
      return south <= boxNorth && boxSouth < north;
    });
    for (const row of rows) {
      for (const column of columns) {
        const key = row * SQUARES + column;
        const part = intersection(squareAt(column, row), box);
        const known = covered.get(key);
        covered.set(key, known ? bboxUnion([known, part]) : part);
      }
    }
  }
  return Array.from(covered.values(), ([west, south, east, north]) => [(west + east) / 2, (south + north) / 2]);
}

function intersection(a: BBox, b: BBox): BBox {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
}
