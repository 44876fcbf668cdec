/**
 * Joins a detailed coast with the coarse one around it. Where the detailed lines end, a curve leads to the coarse coast, so that
 * no edge shows between them. @module
 */
import { type BBox, bboxContains } from "../../../../data/format/bbox.ts";
import { bboxOf, type Position } from "../../../../data/format/geometry.ts";
import { at, isClosed, type Line, lengthOf, nearestShare } from "./coast.ts";

/** Length of a curve along the coarse coast, as a multiple of the distance between both coasts. */
const LEAD = 3;
const CURVE_STEPS = 16;
/** How far the curve keeps the direction of an end, as a share of its length. */
const BEND = 0.3;

interface Lengths {
  /** The box for which all lines are given. */
  readonly known: BBox;
  /** Shortest and longest part of the coarse coast that a curve replaces, in degrees. */
  readonly least: number;
  readonly most: number;
}

/** A position on a line: its distance from the start along the line. */
interface Spot {
  readonly line: Line;
  readonly along: number;
  readonly distance: number;
}

/**
 * The part of a coarse line that a detailed line replaces. Where the detailed line ends outside `known`, everything on that side
 * is replaced.
 */
interface Replaced {
  readonly fine: Line;
  readonly from: number;
  readonly to: number;
  readonly leadIn: number;
  readonly leadOut: number;
}

/**
 * Returns the joined coast. Undefined if the lines do not fit together, for example if the coarse coast lacks the island. Land
 * must be on the left of all lines.
 */
export function joinCoasts(
  fine: readonly Line[],
  world: readonly Line[],
  lengths: Lengths,
): readonly Line[] | undefined {
  const own = bboxOf({ type: "MultiLineString", coordinates: [...fine] });
  if (!own || !isWhole(world, lengths.known)) return undefined;
  const coarse = world
    .filter((line) => !line.every((position) => bboxContains(own, ...position)))
    .map((line) => (isClosed(line) ? startedFarFrom(line, own) : line));
  const open = fine.filter((line) => !isClosed(line));
  const byLine = new Map<Line, Replaced[]>();
  for (const line of open) {
    const found = replacedBy(line, coarse, lengths);
    if (!found) return undefined;
    byLine.set(found.line, [...(byLine.get(found.line) ?? []), found]);
  }
  const joined: Line[] = fine.filter(isClosed);
  for (const line of coarse) {
    const replaced = byLine.get(line);
    const made = replaced ? replaceIn(line, replaced) : line;
    if (!made) return undefined;
    joined.push(made);
  }
  return joined;
}

/** Returns the same ring, started at its position farthest from the box. */
function startedFarFrom(ring: Line, [west, south, east, north]: BBox): Line {
  const distances = ring.map(([x, y]) => Math.hypot(x - (west + east) / 2, y - (south + north) / 2));
  const farthest = distances.indexOf(Math.max(...distances));
  return [...ring.slice(farthest), ...ring.slice(1, farthest + 1)];
}

/** Returns whether no line ends inside the box. Rings have no end. */
export function isWhole(lines: readonly Line[], known: BBox): boolean {
  return lines.every(
    (line) => isClosed(line) || [line[0], line.at(-1)].every((end) => end && !bboxContains(known, ...end)),
  );
}

function replacedBy(
  fine: Line,
  coarse: readonly Line[],
  { known, least, most }: Lengths,
): (Replaced & { readonly line: Line }) | undefined {
  const [first, last] = [fine[0] as Position, fine.at(-1) as Position];
  const [isCutFirst, isCutLast] = [first, last].map((end) => bboxContains(known, ...end));
  const middle = fine[Math.floor(fine.length / 2)] as Position;
  const start = nearestOn(coarse, isCutFirst ? first : isCutLast ? last : middle);
  if (!start) return undefined;
  const { line } = start;
  const end = nearestOn([line], last);
  if (!end || (isCutLast && nearestOn(coarse, last)?.line !== line)) return undefined;
  const leadOf = ({ distance }: Spot) => Math.min(most, Math.max(least, LEAD * distance));
  const from = isCutFirst ? start.along : Number.NEGATIVE_INFINITY;
  const to = isCutLast ? end.along : Number.POSITIVE_INFINITY;
  return from < to ? { line, fine, from, to, leadIn: leadOf(start), leadOut: leadOf(end) } : undefined;
}

/** Undefined if the detailed lines replace the same part, or do not follow each other. */
function replaceIn(line: Line, all: readonly Replaced[]): Line | undefined {
  const length = lengthOf(line);
  const sorted = all.toSorted((a, b) => a.from - b.from);
  if (sorted.some(({ from }, i) => from < (sorted[i - 1]?.to ?? Number.NEGATIVE_INFINITY))) return undefined;
  // the start of a ring is not replaced
  if (isClosed(line) && sorted.some(({ from, to, leadIn, leadOut }) => from < leadIn || to + leadOut > length)) {
    return undefined;
  }
  const made: Position[] = [];
  let reached = 0;
  let before: Line | undefined;
  for (const { fine, from, to, leadIn, leadOut } of sorted) {
    if (Number.isFinite(from)) {
      const start = from - leadIn;
      if (before && start <= reached) made.push(...curve(before, fine));
      else {
        const lead = partOf(line, reached, Math.max(start, reached));
        made.push(...(before ? curve(before, lead) : []), ...lead, ...curve(lead, fine));
      }
    }
    made.push(...fine);
    before = Number.isFinite(to) ? fine : undefined;
    reached = to + leadOut;
  }
  if (before) {
    const rest = partOf(line, Math.min(reached, length), length);
    made.push(...curve(before, rest), ...rest);
  }
  return made;
}

/** Positions between the end of a line and the start of the next, in the directions of both (a cubic Bézier curve). */
function curve(before: Line, after: Line): Line {
  const [from, to] = [before.at(-1), after[0]];
  if (!from || !to) return [];
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const leaving = towards(before.at(-1 - lookBack(before.toReversed(), length)) ?? from, from, BEND * length);
  const arriving = towards(after[lookBack(after, length)] ?? to, to, BEND * length);
  return Array.from({ length: CURVE_STEPS - 1 }, (_, i): Position => {
    const share = (i + 1) / CURVE_STEPS;
    const rest = 1 - share;
    const mix = (axis: 0 | 1) =>
      rest ** 3 * from[axis] +
      3 * rest ** 2 * share * leaving[axis] +
      3 * rest * share ** 2 * arriving[axis] +
      share ** 3 * to[axis];
    return [mix(0), mix(1)];
  });
}

/** Index of a position far enough from the start that the direction is not that of one small step. */
function lookBack(line: Line, length: number): number {
  const [x, y] = line[0] ?? [0, 0];
  const found = line.findIndex((position) => Math.hypot(position[0] - x, position[1] - y) > length / 4);
  return found < 0 ? line.length - 1 : found;
}

/** Returns the position at this length beyond `to`, in the direction from `from` to `to`. */
function towards(from: Position, to: Position, length: number): Position {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const whole = Math.hypot(dx, dy) || 1;
  return [to[0] + (dx / whole) * length, to[1] + (dy / whole) * length];
}

function nearestOn(lines: readonly Line[], position: Position): Spot | undefined {
  let best: Spot | undefined;
  for (const line of lines) {
    let along = 0;
    for (let i = 1; i < line.length; i++) {
      const [from, to] = [line[i - 1] as Position, line[i] as Position];
      const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
      const share = nearestShare(position, from, to);
      const [x, y] = at(from, to, share);
      const distance = Math.hypot(position[0] - x, position[1] - y);
      if (!best || distance < best.distance) best = { line, along: along + share * length, distance };
      along += length;
    }
  }
  return best;
}

/** Returns the part of the line between two distances from its start. */
function partOf(line: Line, start: number, end: number): Line {
  const part: Position[] = [];
  let along = 0;
  for (let i = 1; i < line.length; i++) {
    const [from, to] = [line[i - 1] as Position, line[i] as Position];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const [first, last] = [Math.max(0, (start - along) / length), Math.min(1, (end - along) / length)];
    if (first <= 1 && last >= 0 && first <= last) {
      if (part.length === 0) part.push(at(from, to, first));
      if (last > first) part.push(at(from, to, last));
    }
    along += length;
  }
  return part;
}
