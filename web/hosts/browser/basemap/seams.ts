/**
 * Makes shapes that connect the end of a detailed coastline with the coarse coast. Without them the map would show the edge of
 * the box in which the detailed coast decides. @module
 */
import { type BBox, bboxContains } from "../../../../data/format/bbox.ts";
import type { Position } from "../../../../data/format/geometry.ts";
import type { CoarseLand } from "./coarse-land.ts";
import { type Coast, type Ground, kindAt, type Line, landAndSea, lengthOf } from "./coast.ts";

/** Number of positions on each side of the box at which both coasts are compared. */
const STEPS = 200;

/**
 * Returns shapes outside the box in which the coast decides. Each starts on the edge of the box where the coarse land
 * is of the other kind, and ends on the coarse coast, at most `reach` degrees away. Empty if the coast decides everywhere.
 */
export function seamsOf(coast: Coast, coarse: CoarseLand, reach: number): Ground[] {
  const { extent } = coast;
  if (!extent) return [];
  const edge = edgeOf(extent);
  const ground = landAndSea(coast, extent);
  const middle: Position = [(extent[0] + extent[2]) / 2, (extent[1] + extent[3]) / 2];
  const compared = edge.map((position) => ({
    position,
    fine: kindAt(ground, towards(position, middle, 1e-4)) ?? "sea",
    coarse: coarse.contains(position) ? "land" : "sea",
  }));
  return runsOf(compared.map(({ fine, coarse: other }) => fine !== other)).flatMap((run): Ground[] => {
    const at = (index: number) => compared[(index + compared.length) % compared.length] as (typeof compared)[number];
    const line = run.map((index) => at(index).position);
    const [first, last] = [run[0] as number, run.at(-1) as number];
    const length = Math.min(reach, lengthOf(line));
    const leadFrom = (end: number, beyond: number) =>
      at(end).coarse === at(beyond).coarse ? [] : coastFrom(coarse, at(end).position, { extent, length });
    const [back, ahead] = [leadFrom(first, first - 1), leadFrom(last, last + 1)];
    const roof = back.length + ahead.length > 0 ? [] : [outwards(line, middle, length / 2)];
    const ring = [...line, ...ahead, ...roof, ...back.toReversed(), line[0] as Position];
    return [{ kind: at(first).fine, ring }];
  });
}

/** Returns positions counter-clockwise around the box, without the first one again. */
function edgeOf([west, south, east, north]: BBox): Position[] {
  const side = (from: Position, to: Position) => Array.from({ length: STEPS }, (_, i) => towards(from, to, i / STEPS));
  return [
    ...side([west, south], [east, south]),
    ...side([east, south], [east, north]),
    ...side([east, north], [west, north]),
    ...side([west, north], [west, south]),
  ];
}

/** Circular runs of at least two flags that are set. Empty when all are set: there is no end to connect. */
function runsOf(flags: readonly boolean[]): number[][] {
  const begin = flags.indexOf(false);
  if (begin < 0) return [];
  const runs: number[][] = [];
  for (let i = begin; i < begin + flags.length; i++) {
    if (!flags[i % flags.length]) continue;
    const last = runs.at(-1);
    if (last && last.at(-1) === i - 1) last.push(i);
    else runs.push([i]);
  }
  return runs.filter(({ length }) => length > 1);
}

/** The coarse coast from the point where it leaves the box near the position, up to the length. */
function coastFrom(
  { coast }: CoarseLand,
  position: Position,
  { extent, length }: { readonly extent: BBox; readonly length: number },
): Line {
  const isInside = (end: Position) => bboxContains(extent, ...end);
  const leaving = coast.flatMap(([a, b]) =>
    isInside(a) === isInside(b) ? [] : [isInside(a) ? ([a, b] as const) : ([b, a] as const)],
  );
  const first = leaving.toSorted((a, b) => distanceTo(a, position) - distanceTo(b, position))[0];
  if (!first) return [];
  const found: Position[] = [];
  let [left, from, to]: [number, Position, Position] = [length, position, first[1]];
  for (const used = new Set<unknown>([first]); ; ) {
    const step = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (step >= left) return [...found, towards(from, to, left / step)];
    found.push(to);
    left -= step;
    const next = coast.find((edge) => !used.has(edge) && edge.some((end) => isSame(end, to)));
    if (!next || isInside(to)) return found;
    used.add(next);
    [from, to] = [to, isSame(next[0], to) ? next[1] : next[0]];
  }
}

function distanceTo([a, b]: readonly [Position, Position], position: Position): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const share = ((position[0] - a[0]) * dx + (position[1] - a[1]) * dy) / (dx * dx + dy * dy || 1);
  const [x, y] = towards(a, b, Math.max(0, Math.min(1, share)));
  return Math.hypot(position[0] - x, position[1] - y);
}

function outwards(line: Line, middle: Position, length: number): Position {
  const [x, y] = line[Math.floor(line.length / 2)] as Position;
  const away = Math.hypot(x - middle[0], y - middle[1]) || 1;
  return [x + ((x - middle[0]) / away) * length, y + ((y - middle[1]) / away) * length];
}

function towards([x1, y1]: Position, [x2, y2]: Position, share: number): Position {
  return [x1 + share * (x2 - x1), y1 + share * (y2 - y1)];
}

function isSame(a: Position, b: Position): boolean {
  return a[0] === b[0] && a[1] === b[1];
}
