/**
 * Land and sea of a box, computed from the coastlines in and around it. Land is on the left of a coastline.
 * @see https://wiki.openstreetmap.org/wiki/Tag:natural%3Dcoastline
 * @module
 */
import { type BBox, bboxContains, boxRing } from "../../../../data/format/bbox.ts";
import { bboxOf, type Position } from "../../../../data/format/geometry.ts";
import { polygonContains } from "../../../../data/format/representative-point.ts";

export type Line = readonly Position[];

/** A ring of land or of sea, positions [lon, lat] in degrees. */
export interface Ground {
  readonly kind: "land" | "sea";
  readonly ring: Line;
}

/** Longer than any drawn box. A coastline that ends inside a box continues in its last direction. */
const PROLONGED_DEGREES = 1;

/** Margin around rows, as a share of `reach`: tiles of low zooms draw an edge some metres beside its position. */
const ROOM_SHARE = 0.02;

/** The coastlines around a position. */
export interface Coast {
  /** Coastlines joined end to end, and extended where the data ends. Land is on their left. */
  readonly chains: readonly Line[];
  /** The box in which the coastlines decide what is land. Undefined: they decide everywhere. */
  readonly extent?: BBox;
}

interface Around {
  /** The box for which all coastlines are given. */
  readonly known: BBox;
  /** Bboxes of dataset rows that are on land. */
  readonly rows?: readonly BBox[];
  /** How far outside their bbox the coastlines may decide for these rows, in degrees. */
  readonly reach?: number;
}

/**
 * Returns the coast; undefined without a coastline. If a line ends inside `known`, the data ends there: the lines then decide
 * only in their own bbox, and up to `reach` degrees outside it where there are rows. Elsewhere land and sea are unknown.
 */
export function coastOf(coastlines: readonly Line[], { known, rows = [], reach = 0 }: Around): Coast | undefined {
  const joined = joinLines(coastlines);
  const own = bboxOf({ type: "MultiLineString", coordinates: joined });
  if (!own) return undefined;
  const chains = joined.map((line) => prolong(line, known));
  const isCut = joined.some(
    (line) => !isClosed(line) && [line[0], line.at(-1)].some((end) => end && bboxContains(known, ...end)),
  );
  if (!isCut) return { chains };
  const reached = grow(own, reach);
  const near = rows
    .map((box) => intersection(grow(box, reach * ROOM_SHARE), reached))
    .filter((box) => box !== undefined);
  return { chains, extent: near.reduce<BBox>(union, own) };
}

/** Returns what the last ring that contains the position is, which is drawn on top; undefined outside all rings. */
export function kindAt(ground: readonly Ground[], position: Position): Ground["kind"] | undefined {
  return ground.findLast(({ ring }) => polygonContains([ring], position))?.kind;
}

/**
 * Returns rings of land and sea that fill the part of the box in which the coast decides. Later rings cover earlier ones. Empty
 * if the coast decides nowhere in the box.
 */
export function landAndSea({ chains, extent }: Coast, box: BBox): Ground[] {
  const filled = extent ? intersection(box, extent) : box;
  return filled ? fill(chains, filled) : [];
}

function union(a: BBox, b: BBox): BBox {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

/** Returns the box, larger by this number of degrees on each side. */
export function grow([west, south, east, north]: BBox, degrees: number): BBox {
  return [west - degrees, south - degrees, east + degrees, north + degrees];
}

/** Returns the common part of two boxes, or undefined if they do not overlap. */
export function intersection(a: BBox, b: BBox): BBox | undefined {
  const [west, south, east, north] = [
    Math.max(a[0], b[0]),
    Math.max(a[1], b[1]),
    Math.min(a[2], b[2]),
    Math.min(a[3], b[3]),
  ];
  return west < east && south < north ? [west, south, east, north] : undefined;
}

function fill(chains: readonly Line[], box: BBox): Ground[] {
  if (chains.length === 0) return [];
  const pieces: Line[] = [];
  const rings: Line[] = [];
  for (const chain of chains) {
    if (isClosed(chain) && chain.every((position) => bboxContains(box, ...position))) rings.push(chain);
    else pieces.push(...clipLine(chain, box));
  }
  const frame = boxRing(box);
  const ground: Ground[] =
    pieces.length > 0
      ? [{ kind: "sea", ring: frame }, ...walk(pieces, box).map((ring) => ({ kind: "land" as const, ring }))]
      : // No ring inside the box reaches its corner.
        [{ kind: isOnLand([box[0], box[1]], chains) ? "land" : "sea", ring: frame }];
  const bySize = rings.toSorted((a, b) => Math.abs(signedArea(b)) - Math.abs(signedArea(a)));
  for (const ring of bySize) ground.push({ kind: signedArea(ring) > 0 ? "land" : "sea", ring });
  return ground;
}

/** Joins each line to the one that starts where it ends. Drops lines of fewer than two positions. */
export function joinLines(lines: readonly Line[]): Line[] {
  const keyOf = ([lon, lat]: Position) => `${lon} ${lat}`;
  const byStart = new Map<string, Line>();
  const ends = new Set<string>();
  for (const line of lines) {
    const [first, last] = [line[0], line.at(-1)];
    if (!first || !last || line.length < 2) continue;
    byStart.set(keyOf(first), line);
    ends.add(keyOf(last));
  }
  const joined: Line[] = [];
  const follow = (start: string) => {
    const positions: Position[] = [];
    for (let key = start; ; ) {
      const line = byStart.get(key);
      if (!line) break;
      byStart.delete(key);
      positions.push(...(positions.length > 0 ? line.slice(1) : line));
      key = keyOf(positions.at(-1) as Position);
    }
    joined.push(positions);
  };
  for (const start of [...byStart.keys()]) if (!ends.has(start)) follow(start);
  // closed lines
  for (const start of [...byStart.keys()]) if (byStart.has(start)) follow(start);
  return joined;
}

function prolong(line: Line, known: BBox): Line {
  const [first, last] = [line[0], line.at(-1)];
  if (!first || !last || isClosed(line)) return line;
  const length = Math.hypot(last[0] - first[0], last[1] - first[1]);
  const step = (from: Position, sign: number): Position => [
    from[0] + (sign * PROLONGED_DEGREES * (last[0] - first[0])) / length,
    from[1] + (sign * PROLONGED_DEGREES * (last[1] - first[1])) / length,
  ];
  return [
    ...(bboxContains(known, ...first) ? [step(first, -1)] : []),
    ...line,
    ...(bboxContains(known, ...last) ? [step(last, 1)] : []),
  ];
}

function clipLine(line: Line, box: BBox): Line[] {
  const pieces: Line[] = [];
  let piece: Position[] = [];
  for (let i = 1; i < line.length; i++) {
    const [from, to] = [line[i - 1] as Position, line[i] as Position];
    const part = clipSegment(from, to, box);
    if (!part) continue;
    const [start, end] = part;
    if (piece.length === 0) piece.push(at(from, to, start));
    piece.push(at(from, to, end));
    if (end < 1) {
      pieces.push(piece);
      piece = [];
    }
  }
  if (piece.length > 0) pieces.push(piece);
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (!isClosed(line) || !first || !last || first === last || !isSame(last.at(-1), first[0])) return pieces;
  return [...pieces.slice(1, -1), [...last, ...first.slice(1)]];
}

/** The part of the segment inside the box (Liang-Barsky). */
function clipSegment(from: Position, to: Position, [west, south, east, north]: BBox): [number, number] | undefined {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  let [start, end] = [0, 1];
  for (const [p, q] of [
    [-dx, from[0] - west],
    [dx, east - from[0]],
    [-dy, from[1] - south],
    [dy, north - from[1]],
  ] as const) {
    if (p === 0 && q < 0) return undefined;
    if (p < 0) start = Math.max(start, q / p);
    if (p > 0) end = Math.min(end, q / p);
  }
  return start < end ? [start, end] : undefined;
}

/** Returns rings of land. A ring follows a piece of coast, then the edge of the box counter-clockwise to the next piece. */
function walk(pieces: readonly Line[], box: BBox): Line[] {
  const starts = pieces.map((piece) => ({ piece, along: alongEdge(piece[0] as Position, box) }));
  const left = new Set(starts);
  const rings: Line[] = [];
  for (const first of starts) {
    if (!left.has(first)) continue;
    const ring: Position[] = [];
    for (let current = first; left.has(current); ) {
      left.delete(current);
      ring.push(...current.piece);
      const end = alongEdge(current.piece.at(-1) as Position, box);
      const ahead = (along: number) => (along - end + 4) % 4;
      const next = [...left, first].reduce((a, b) => (ahead(b.along) < ahead(a.along) ? b : a));
      for (let corner = Math.floor(end) + 1; corner < end + ahead(next.along); corner++) {
        ring.push(boxRing(box)[corner % 4] as Position);
      }
      current = next;
    }
    rings.push([...ring, ring[0] as Position]);
  }
  return rings;
}

/** Distance along the edge of the box from its south-west corner, counter-clockwise, in sides of the box: 0 to 4. */
function alongEdge([x, y]: Position, [west, south, east, north]: BBox): number {
  const across = (x - west) / (east - west);
  const up = (y - south) / (north - south);
  const sides = [Math.abs(up), Math.abs(1 - across), Math.abs(1 - up), Math.abs(across)];
  const side = sides.indexOf(Math.min(...sides));
  return side + ([across, up, 1 - across, 1 - up][side] ?? 0) * (1 - Number.EPSILON);
}

function isOnLand(position: Position, lines: readonly Line[]): boolean {
  let best = { distance: Number.POSITIVE_INFINITY, isLeft: false };
  for (const line of lines) {
    for (let i = 1; i < line.length; i++) {
      const [from, to] = [line[i - 1] as Position, line[i] as Position];
      const share = nearestShare(position, from, to);
      const nearest = at(from, to, share);
      const distance = Math.hypot(position[0] - nearest[0], position[1] - nearest[1]);
      if (distance >= best.distance) continue;
      const beside = share === 0 ? lineBefore(line, i) : share === 1 ? lineAfter(line, i) : undefined;
      best = { distance, isLeft: isLeftOf(position, [from, to], beside) };
    }
  }
  return best.isLeft;
}

type Segment = readonly [Position, Position];

function lineBefore(line: Line, index: number): Segment | undefined {
  if (index > 1) return [line[index - 2] as Position, line[index - 1] as Position];
  return isClosed(line) ? [line.at(-2) as Position, line[0] as Position] : undefined;
}

function lineAfter(line: Line, index: number): Segment | undefined {
  if (index + 1 < line.length) return [line[index] as Position, line[index + 1] as Position];
  return isClosed(line) ? [line[0] as Position, line[1] as Position] : undefined;
}

/** At a corner both segments decide: a position in the outer angle is left of both or of neither. */
function isLeftOf(position: Position, segment: Segment, beside: Segment | undefined): boolean {
  const isLeft = turn(...segment, position) > 0;
  if (!beside) return isLeft;
  const isBesideLeft = turn(...beside, position) > 0;
  if (isLeft === isBesideLeft) return isLeft;
  const [before, after] = isSame(beside[1], segment[0]) ? [beside, segment] : [segment, beside];
  return turn(before[0], before[1], after[1]) < 0;
}

function turn(a: Position, b: Position, c: Position): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** Returns where on the segment the point nearest to the position is, as a share of the way: 0 is `from`, 1 is `to`. */
export function nearestShare(position: Position, from: Position, to: Position): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const squared = dx * dx + dy * dy;
  if (squared === 0) return 0;
  return Math.max(0, Math.min(1, ((position[0] - from[0]) * dx + (position[1] - from[1]) * dy) / squared));
}

/** Returns the position at a share of the way: 0 is `from`, 1 is `to`. */
export function at(from: Position, to: Position, share: number): Position {
  if (share === 0) return from;
  if (share === 1) return to;
  return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
}

/** Returns whether the line ends where it starts, so that it is a ring. */
export function isClosed(line: Line): boolean {
  return line.length > 3 && isSame(line[0], line.at(-1));
}

function isSame(a: Position | undefined, b: Position | undefined): boolean {
  return a?.[0] === b?.[0] && a?.[1] === b?.[1];
}

/** Returns the area of a closed ring in squared units of its positions. Positive for a counter-clockwise ring. */
export function signedArea(ring: Line): number {
  let twice = 0;
  for (let i = 1; i < ring.length; i++) {
    const [[x1, y1], [x2, y2]] = [ring[i - 1] as Position, ring[i] as Position];
    twice += x1 * y2 - x2 * y1;
  }
  return twice / 2;
}

/** Returns the length of the line in the units of its positions, measured in a plane. */
export function lengthOf(line: Line): number {
  return line.reduce((sum, [x, y], i) => {
    const [lastX, lastY] = line[i - 1] ?? [x, y];
    return sum + Math.hypot(x - lastX, y - lastY);
  }, 0);
}
