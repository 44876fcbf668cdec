/** Where a dataset has rows, as vector tiles of low zooms: a point in each of the squares, 16 pixels wide, that have some. @module */
import { geoJSONToTile } from "@maplibre/geojson-vt";
import type * as GeoJSON from "geojson";
import { type BBox, bboxUnion, splitAtAntimeridian } from "../../../../data/format/bbox.ts";
import { type TilePlace, tileBBox } from "../../../../data/format/tile-place.ts";
import type { RowBox } from "../../../engine/index.ts";
import { encodeTile } from "../../../tiles/index.ts";

/** A tile is 512 pixels wide. */
const SQUARES = 32;
const SQUARES_ZOOM = Math.log2(SQUARES);
const PLACES = Array.from({ length: SQUARES }, (_, place) => place);

/** What is wider tells too little: a country's box holds much sea, and the box of its islands half of the globe. */
const WIDEST_DEGREES = 5;
/** Where fewer of the rows than this lie in boxes that tell, the others would be taken for places without data. */
const LEAST_TOLD = 0.9;

/** A tile with the layer `coverage`; empty where nothing reaches into it, and where boxes tell too little. */
export function coverageTile(boxes: readonly RowBox[], tile: TilePlace): ArrayBuffer {
  const features = coveredPoints(tellingBoxes(boxes), tile).map(
    (coordinates): GeoJSON.Feature => ({ type: "Feature", properties: {}, geometry: { type: "Point", coordinates } }),
  );
  const { z, x, y } = tile;
  const made = geoJSONToTile({ type: "FeatureCollection", features }, z, x, y, { maxZoom: z, clip: true });
  return encodeTile([["coverage", made]]).buffer;
}

/** None where too many of the rows are in boxes that are too wide. */
export function tellingBoxes(boxes: readonly RowBox[]): readonly RowBox[] {
  const telling = boxes.filter(({ bbox: [west, south, east, north] }) => {
    const width = east < west ? east + 360 - west : east - west;
    return Math.max(width, north - south) <= WIDEST_DEGREES;
  });
  const rowsOf = (some: readonly RowBox[]) => some.reduce((sum, { rows }) => sum + rows, 0);
  return rowsOf(telling) < LEAST_TOLD * rowsOf(boxes) ? [] : telling;
}

/** For each square of the tile that a box reaches into, the middle of what the boxes have of it: of a small one, where it is. */
export function coveredPoints(boxes: readonly Pick<RowBox, "bbox">[], { z, x, y }: TilePlace): GeoJSON.Position[] {
  const squareAt = (column: number, row: number) =>
    tileBBox({ z: z + SQUARES_ZOOM, x: x * SQUARES + column, y: y * SQUARES + row });
  // the columns have their longitudes from any row, the rows their latitudes from any column
  const spans = PLACES.map((place) => squareAt(place, place));
  const covered = new Map<number, BBox>();
  for (const box of boxes.flatMap(({ bbox }) => splitAtAntimeridian(bbox))) {
    const [boxWest, boxSouth, boxEast, boxNorth] = box;
    const columns = PLACES.filter((place) => {
      const [west, , east] = spans[place] ?? box;
      return west <= boxEast && boxWest < east;
    });
    const rows = PLACES.filter((place) => {
      const [, south, , north] = spans[place] ?? box;
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
