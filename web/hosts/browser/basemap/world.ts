/**
 * The world for low zooms, as the page ships it. Coordinates are integers in units of `1 / scale` degrees; a ring has its first
 * position, then the steps to the next ones. @module
 */
import type * as GeoJSON from "geojson";
import { type BBox, boxRing } from "../../../../data/format/bbox.ts";
import type { Position } from "../../../../data/format/geometry.ts";
import { nameIn } from "./drawn.ts";

type Point = readonly [x: number, y: number];

export interface WorldCountry {
  readonly name: string;
  readonly names: Readonly<Record<string, string>>;
  readonly label: Point;
  /** Width in degrees of a square with the area of the country's largest polygon. */
  readonly size: number;
  /** Rings of polygons as flat numbers: the first position, then steps, longitude before latitude. */
  readonly polygons: readonly (readonly (readonly number[])[])[];
}

/** A lake as the rings of a polygon, or a river as lines. */
export interface WorldWater {
  /** The lowest zoom at which it is drawn. */
  readonly zoom: number;
  /** Lines as flat numbers: the first position, then steps, longitude before latitude. */
  readonly lines: readonly (readonly number[])[];
}

export interface World {
  readonly scale: number;
  readonly countries: readonly WorldCountry[];
  readonly towns: readonly { readonly name: string; readonly at: Point; readonly population: number }[];
  readonly lakes: readonly WorldWater[];
  readonly rivers: readonly WorldWater[];
}

type Layers<Name extends string> = Readonly<Record<Name, GeoJSON.FeatureCollection>>;

/** Returns the polygons of all countries: for each polygon its rings, positions [lon, lat] in degrees. */
export function worldPolygons({ scale, countries }: World): (readonly Position[])[][] {
  const toDegrees = (ring: readonly Point[]) => ring.map(([x, y]): Position => [x / scale, y / scale]);
  return countries.flatMap(({ polygons }) => polygons.map((rings) => rings.map((ring) => toDegrees(points(ring)))));
}

const SQUARE_MAP: BBox = [-180, -85.06, 180, 85.06];

/** Returns the sea, the land (one feature per country), the borders (lines without coasts), lakes and rivers, in degrees. */
export function worldShapes(world: World): Layers<"sea" | "land" | "border" | "lake" | "river"> {
  const { scale, countries } = world;
  const outlines = countries.map(({ polygons }) => polygons.map((rings) => rings.map(points)));
  const toDegrees = (ring: readonly Point[]) => ring.map(([x, y]): GeoJSON.Position => [x / scale, y / scale]);
  return {
    sea: collection([feature({ type: "Polygon", coordinates: [boxRing(SQUARE_MAP)] })]),
    land: collection(
      outlines.map((polygons) =>
        feature({ type: "MultiPolygon", coordinates: polygons.map((rings) => rings.map(toDegrees)) }),
      ),
    ),
    border: collection([
      feature({ type: "MultiLineString", coordinates: sharedLines(outlines.flat(2)).map(toDegrees) }),
    ]),
    lake: collection(
      world.lakes.map(({ zoom, lines }) =>
        feature({ type: "Polygon", coordinates: lines.map((line) => toDegrees(points(line))) }, { zoom }),
      ),
    ),
    river: collection(
      world.rivers.map(({ zoom, lines }) =>
        feature({ type: "MultiLineString", coordinates: lines.map((line) => toDegrees(points(line))) }, { zoom }),
      ),
    ),
  };
}

/** Returns label points of countries, with names in the language if known, and of towns, which have one name each. */
export function worldNames({ scale, countries, towns }: World, language: string): Layers<"country" | "town"> {
  const point = ([x, y]: Point, properties: GeoJSON.GeoJsonProperties) =>
    feature({ type: "Point", coordinates: [x / scale, y / scale] }, properties);
  return {
    country: collection(
      countries.map(({ name, names, label, size }) =>
        point(label, { name: nameIn({ primary: name, common: names }, language), size }),
      ),
    ),
    town: collection(towns.map(({ name, at, population }) => point(at, { name, population }))),
  };
}

function sharedLines(rings: readonly (readonly Point[])[]): Point[][] {
  const edgeOf = ([ax, ay]: Point, [bx, by]: Point) =>
    ax < bx || (ax === bx && ay < by) ? `${ax} ${ay} ${bx} ${by}` : `${bx} ${by} ${ax} ${ay}`;
  const edges = rings.flatMap((ring) => ring.slice(1).map((point, i) => edgeOf(ring[i] ?? point, point)));
  const seen = new Set<string>();
  const shared = new Set(edges.filter((edge) => seen.size === seen.add(edge).size));
  const lines: Point[][] = [];
  for (const ring of rings) {
    let line: Point[] | undefined;
    for (const [i, point] of ring.entries()) {
      const before = ring[i - 1];
      if (!before || !shared.delete(edgeOf(before, point))) {
        line = undefined;
        continue;
      }
      if (!line) {
        line = [before];
        lines.push(line);
      }
      line.push(point);
    }
  }
  return lines;
}

function collection(features: GeoJSON.Feature[]): GeoJSON.FeatureCollection {
  return { type: "FeatureCollection", features };
}

function feature(geometry: GeoJSON.Geometry, properties: GeoJSON.GeoJsonProperties = {}): GeoJSON.Feature {
  return { type: "Feature", properties, geometry };
}

function points(steps: readonly number[]): Point[] {
  const ring: Point[] = [];
  let [x, y] = [0, 0];
  for (let i = 0; i < steps.length; i += 2) {
    x += steps[i] ?? 0;
    y += steps[i + 1] ?? 0;
    ring.push([x, y]);
  }
  return ring;
}
