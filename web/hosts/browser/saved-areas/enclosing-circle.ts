import { type BBox, boxRing } from "../../../../data/format/bbox.ts";
import type { Position } from "../../../../data/format/geometry.ts";
import { EARTH_RADIUS_METERS, HALF_CIRCUMFERENCE_METERS, toRadians } from "../../../../data/format/sphere.ts";
import type { Circle, HeldCircle } from "../../../engine/index.ts";
import type { AreaStore } from "../storage/index.ts";

type Vector = readonly [x: number, y: number, z: number];

/** Number of positions on each edge. Edges follow parallels and straight lines of the plane, not great circles. */
const STEPS_PER_EDGE = 64;
/** Maximum radius as an angle. A larger circle may enclose the outside of the box; the whole globe is used instead. */
const MAX_ANGLE = toRadians(80);
/**
 * Number of iterations. Each moves the centre towards the farthest position, by a smaller step than before (Badoiu and Clarkson).
 */
const ROUNDS = 400;

/** Returns a circle that contains the box, with a radius in whole metres. For a very wide box it contains the whole globe. */
export function enclosingCircle(bbox: BBox): Circle {
  const ring = boxRing(bbox);
  const [[west], [east]] = ring;
  const outline = ring.slice(1).flatMap((to, i) => stepsBetween(ring[i] ?? to, to));
  const vectors = outline.map(toVector);
  const first = vectors[0] ?? [1, 0, 0];
  let centre = normalized(vectors.reduce(add, [0, 0, 0])) ?? first;
  for (let round = 2; round < ROUNDS; round++) {
    const farthest = vectors.reduce((a, b) => (dot(centre, b) < dot(centre, a) ? b : a), first);
    centre = normalized(add(centre, scaled(subtract(farthest, centre), 1 / round))) ?? centre;
  }
  const widestStep = Math.max(...vectors.map((vector, i) => angle(vector, vectors[i - 1] ?? vectors.at(-1) ?? vector)));
  const reach = Math.max(...vectors.map((vector) => angle(centre, vector))) + widestStep / 2;
  if (!(reach < MAX_ANGLE) || east - west >= 180) {
    return { lon: 0, lat: 0, radiusMeters: HALF_CIRCUMFERENCE_METERS };
  }
  const [x, y, z] = centre;
  return {
    lon: (Math.atan2(y, x) * 180) / Math.PI,
    lat: (Math.asin(Math.max(-1, Math.min(1, z))) * 180) / Math.PI,
    // Half a metre for rounding, also in the URL.
    radiusMeters: Math.ceil(reach * EARTH_RADIUS_METERS + 0.5),
  };
}

function stepsBetween([x1, y1]: Position, [x2, y2]: Position): Position[] {
  return Array.from({ length: STEPS_PER_EDGE }, (_, i): Position => {
    const share = i / STEPS_PER_EDGE;
    return [x1 + share * (x2 - x1), y1 + share * (y2 - y1)];
  });
}

function toVector([lon, lat]: Position): Vector {
  const [along, up] = [toRadians(lon), toRadians(lat)];
  return [Math.cos(up) * Math.cos(along), Math.cos(up) * Math.sin(along), Math.sin(up)];
}

const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scaled = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by];

function normalized(a: Vector): Vector | undefined {
  const length = Math.sqrt(dot(a, a));
  return length > 1e-9 ? scaled(a, 1 / length) : undefined;
}

/** Returns the angle between two vectors, computed from the chord, which is precise for small angles. */
function angle(a: Vector, b: Vector): number {
  const chord = subtract(a, b);
  return 2 * Math.asin(Math.min(1, Math.sqrt(dot(chord, chord)) / 2));
}

/**
 * Returns for each saved area a circle and the collections whose rows in the circle are all stored. Leaves out areas of whole
 * countries.
 */
export async function heldCircles(store: Pick<AreaStore, "areas">): Promise<readonly HeldCircle[]> {
  const saved = (await store.areas()).filter((area) => area.saved !== undefined);
  return saved.flatMap(({ selection: { shape, collections } }) => {
    if (shape.kind === "country") return [];
    return [{ circle: shape.kind === "circle" ? shape : enclosingCircle(shape.bbox), collections }];
  });
}
