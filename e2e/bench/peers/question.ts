/**
 * What every peer is asked, and what it must answer.
 * @module
 */

/** Places of a circle in order of distance. */
export interface Question {
  readonly name: string;
  readonly lon: number;
  readonly lat: number;
  readonly radiusMeters: number;
  readonly limit: number;
  /** From 0. */
  readonly page: number;
}

export interface Answer {
  /** Of the page, in order. */
  readonly ids: readonly string[];
  /** Rows in the circle. */
  readonly total: number;
}

/** One way to answer questions, in the page. */
export interface Peer {
  answer(question: Question): Promise<Answer>;
}

export type PeerName = "cairn-scan" | "cairn-sql" | "cairn-auto" | "flatgeobuf" | "hyparquet";

export interface Point {
  readonly id: string;
  readonly lon: number;
  readonly lat: number;
}

const EARTH_RADIUS_METERS = 6_371_008.8;
const METERS_PER_DEGREE = (Math.PI * EARTH_RADIUS_METERS) / 180;
const RADIANS = Math.PI / 180;

/** Box around the circle: west, south, east, north in degrees. Circles here keep away from poles and date line. */
export function boxAround({ lon, lat, radiusMeters }: Question): readonly [number, number, number, number] {
  const dLat = radiusMeters / METERS_PER_DEGREE;
  const dLon = dLat / Math.cos((Math.abs(lat) + dLat) * RADIANS);
  return [lon - dLon, lat - dLat, lon + dLon, lat + dLat];
}

/** Great-circle distance, metres, to the millimetre. */
function distanceMeters(a: Question, b: Point): number {
  const sinLat = Math.sin(((b.lat - a.lat) * RADIANS) / 2);
  const sinLon = Math.sin(((b.lon - a.lon) * RADIANS) / 2);
  const h = sinLat ** 2 + Math.cos(a.lat * RADIANS) * Math.cos(b.lat * RADIANS) * sinLon ** 2;
  return Math.round(2 * EARTH_RADIUS_METERS * Math.asin(Math.sqrt(h)) * 1000) / 1000;
}

/** What peers without a search by distance must do themselves with the candidates of the box. */
export function answerFrom(points: Iterable<Point>, question: Question): Answer {
  const found: { id: string; meters: number }[] = [];
  for (const point of points) {
    const meters = distanceMeters(question, point);
    if (meters <= question.radiusMeters) found.push({ id: point.id, meters });
  }
  found.sort((a, b) => a.meters - b.meters || (a.id < b.id ? -1 : 1));
  const start = question.page * question.limit;
  return { ids: found.slice(start, start + question.limit).map(({ id }) => id), total: found.length };
}
