/**
 * The middle of an H3 cell. h3-js has 65 KB after compression and cannot be loaded on demand in a service worker, so
 * this is its decoder alone, ported from H3 (Apache-2.0, © Uber Technologies). A test compares it with h3-js.
 * @see https://github.com/uber/h3/blob/master/src/h3lib/lib/faceijk.c
 * @module
 */
import type { Position } from "../format/geometry.ts";

type Ijk = readonly [i: number, j: number, k: number];
type Vector = readonly [x: number, y: number, z: number];

const MOST_DIGITS = 15;
const UNUSED = 7;
const PENTAGONS: ReadonlySet<number> = new Set([4, 14, 24, 38, 49, 58, 63, 72, 83, 97, 107, 117]);

/** Of each base cell: its face as a letter, and its i, j and k there. */
const BASE_CELLS =
  "b100 c110 b000 c100 a200 b110 b001 c000 a100 c010 b010 b011 d100 d110 l200 e100 a000 g010 a001 c011 h001 c001 a110 g001 k200 g000 d000 l100 e110 d010 a011 e000 f010 a010 h010 l110 h000 k100 m200 g101 h101 e001 d001 d011 e010 g100 l000 i001 f001 o200 f000 m100 k110 e011 m110 h100 l010 k000 n200 k001 l001 j010 i010 g200 i000 j001 o100 f101 q011 i101 f100 m000 h200 m010 k010 j000 n100 q001 p011 p010 q010 o110 n110 f200 i100 o000 j101 o001 r001 m001 q000 r011 p001 q101 j100 p000 n000 i200 n010 r101 t010 o010 t011 r010 n001 r000 q100 j200 p101 p100 s011 s001 t001 r100 t000 s010 s101 t200 t100 s000 t101 s100".split(
    " ",
  );

/** Middles of the faces of the icosahedron. */
const FACES: readonly Vector[] = [
  [0.219930779140461, 0.6583691780275, 0.719847537892618],
  [-0.213923483450142, 0.14781718295507, 0.965601793521421],
  [0.10926252787848, -0.481195157287321, 0.869777512128725],
  [0.742856730158679, -0.359394167827803, 0.564800593651703],
  [0.811253470914097, 0.344895323763938, 0.472138773641393],
  [-0.105549814961392, 0.979445729641141, 0.171887461000936],
  [-0.807540757997009, 0.153355248589882, 0.569526199488269],
  [-0.284614806978791, -0.864408097265421, 0.414479255247354],
  [0.740562147385448, -0.667329956456552, -0.078983764632674],
  [0.851230398647429, 0.472234378858268, -0.228913738868781],
  [-0.740562147385448, 0.667329956456552, 0.078983764632674],
  [-0.851230398647429, -0.472234378858268, 0.228913738868781],
  [0.105549814961392, -0.979445729641141, -0.171887461000936],
  [0.807540757997009, -0.153355248589882, -0.569526199488269],
  [0.284614806978791, 0.86440809726542, -0.414479255247354],
  [-0.742856730158679, 0.359394167827803, -0.564800593651703],
  [-0.811253470914097, -0.344895323763938, -0.472138773641393],
  [-0.219930779140461, -0.6583691780275, -0.719847537892618],
  [0.213923483450142, -0.14781718295507, -0.965601793521421],
  [-0.10926252787848, 0.481195157287321, -0.869777512128725],
];

/** Azimuth of each face's i axis, radians. */
const AZIMUTHS = [
  5.6199582685239395, 5.7603390817141875, 0.78021365439343, 0.4304693639799999, 6.130269123335111, 2.692877706530643,
  2.982963003477244, 3.532912002790141, 3.494305004259568, 3.0032141694995382, 5.930472956509812, 0.13837848409025486,
  0.4487149470591504, 0.15862965011254937, 5.891865957979238, 2.711123289609793, 3.294508837434268, 3.80481969224544,
  3.6644388790551923, 2.361378999196363,
];

/** The faces next to each one, in the quadrants ij, ki and jk. */
const NEIGHBOURS = "ebf acg bdh cei daj koa lkb mlc nmd one fgp ghq hir ijs jft qtk rpl sqm trn pso"
  .split(" ")
  .map((faces) => Array.from(faces, faceOf));

/** Quarter turns of 60 degrees, and the translation in units, to each of these faces. */
const OUTER = [
  { turns: 1, by: [2, 0, 2] },
  { turns: 5, by: [2, 2, 0] },
  { turns: 3, by: [0, 2, 2] },
] as const;
const INNER = [
  { turns: 3, by: [2, 2, 0] },
  { turns: 3, by: [2, 0, 2] },
  { turns: 3, by: [0, 2, 2] },
] as const;
const isInner = (face: number): boolean => face >= 5 && face < 15;

const STEPS: readonly Ijk[] = [
  [0, 0, 0],
  [0, 0, 1],
  [0, 1, 0],
  [0, 1, 1],
  [1, 0, 0],
  [1, 0, 1],
  [1, 1, 0],
];
/** Each digit after a turn of 60 degrees clockwise. */
const TURNED = [0, 3, 6, 2, 5, 1, 4];

/** The edge of a cell of resolution 0 in the gnomonic projection. */
const RES0_UNIT = 0.381966011250105;
/** The angle between the axes of odd and even resolutions. */
const ODD_TURN = 0.3334731722518321;

const H3 = /^8([0-9a-f])([0-9a-f]{13})$/i;

/** Whether the text has the form of an H3 index of a cell: 15 hexadecimal digits, the first an 8. */
export const isH3 = (text: string): boolean => H3.test(text.trim());

function faceOf(letter: string): number {
  return letter.charCodeAt(0) - "a".charCodeAt(0);
}

/**
 * Returns the middle of an H3 cell as `[longitude, latitude]` in degrees, given its index; undefined for a text that is
 * no index of a cell.
 */
export function h3Centre(text: string): Position | undefined {
  const cell = H3.exec(text.trim());
  if (!cell) return undefined;
  const [, resolution = "", rest = ""] = cell;
  const bits = Array.from(rest, (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
  const base = Number.parseInt(bits.slice(0, 7), 2);
  const all = Array.from({ length: MOST_DIGITS }, (_, i) => Number.parseInt(bits.slice(7 + 3 * i, 10 + 3 * i), 2));
  const level = Number.parseInt(resolution, 16);
  const digits = all.slice(0, level);
  const home = BASE_CELLS[base];
  if (!home || digits.includes(UNUSED)) return undefined;
  if (all.slice(level).some((digit) => digit !== UNUSED)) return undefined;
  const isPentagon = PENTAGONS.has(base);
  const leading = digits.find((digit) => digit !== 0) ?? 0;
  // a pentagon has no cells in that direction
  if (isPentagon && leading === 1) return undefined;
  const turned = isPentagon && leading === 5 ? digits.map((digit) => TURNED[digit] ?? 0) : digits;
  const { face, at } = onItsFace({ home, digits: turned, isPentagon });
  return positionOf(face, at, level);
}

interface Located {
  readonly face: number;
  readonly at: Ijk;
}

function onItsFace(cell: {
  readonly home: string;
  readonly digits: readonly number[];
  readonly isPentagon: boolean;
}): Located {
  const { home, digits, isPentagon } = cell;
  const [letter = "", i, j, k] = home;
  const face = faceOf(letter);
  const start: Ijk = [Number(i), Number(j), Number(k)];
  const at = digits.reduce<Ijk>(
    (above, digit, index) => plus(index % 2 === 0 ? finerOdd(above) : finerEven(above), STEPS[digit] ?? [0, 0, 0]),
    start,
  );
  if (!isPentagon && start.every((part) => part === 0)) return { face, at };
  const isOdd = digits.length % 2 === 1;
  const level = digits.length + (isOdd ? 1 : 0);
  const leading = digits.find((digit) => digit !== 0) ?? 0;
  let moved = overage({ face, at: isOdd ? finerEven(at) : at }, level, isPentagon && leading === 4);
  if (!moved) return { face, at };
  for (let more = isPentagon ? moved : undefined; more; more = overage(more, level, false)) moved = more;
  return isOdd ? { face: moved.face, at: coarserEven(moved.at) } : moved;
}

/** Moves a cell that is beyond the edge of its face; undefined for any other. */
function overage({ face, at }: Located, level: number, isLeading4: boolean): Located | undefined {
  const unit = 7 ** (level / 2);
  const [i, j, k] = at;
  if (i + j + k <= 2 * unit) return undefined;
  const quadrant = k > 0 ? (j > 0 ? 2 : 1) : 0;
  let moved = at;
  if (quadrant === 1 && isLeading4) {
    const origin: Ijk = [2 * unit, 0, 0];
    const [di, dj, dk] = combined([i - origin[0], j, k], [1, 0, 1], [1, 1, 0], [0, 1, 1]);
    moved = [di + origin[0], dj, dk];
  }
  const { turns, by } = (isInner(face) ? INNER : OUTER)[quadrant];
  for (let turn = 0; turn < turns; turn++) moved = combined(moved, [1, 1, 0], [0, 1, 1], [1, 0, 1]);
  const next = NEIGHBOURS[face]?.[quadrant] ?? face;
  return { face: next, at: plus(moved, [by[0] * unit, by[1] * unit, by[2] * unit]) };
}

const finerOdd = (at: Ijk): Ijk => combined(at, [3, 0, 1], [1, 3, 0], [0, 1, 3]);
const finerEven = (at: Ijk): Ijk => combined(at, [3, 1, 0], [0, 3, 1], [1, 0, 3]);

function coarserEven([i, j, k]: Ijk): Ijk {
  return normal([Math.round((2 * (i - k) + (j - k)) / 7), Math.round((3 * (j - k) - (i - k)) / 7), 0]);
}

const plus = (a: Ijk, b: Ijk): Ijk => normal([a[0] + b[0], a[1] + b[1], a[2] + b[2]]);

function combined([i, j, k]: Ijk, ofI: Ijk, ofJ: Ijk, ofK: Ijk): Ijk {
  const part = (axis: 0 | 1 | 2) => i * ofI[axis] + j * ofJ[axis] + k * ofK[axis];
  return normal([part(0), part(1), part(2)]);
}

/** Returns the same place with no negative part and at least one zero. */
function normal([i, j, k]: Ijk): Ijk {
  const least = Math.min(i, j, k);
  return [i - least, j - least, k - least];
}

function positionOf(face: number, [i, j, k]: Ijk, level: number): Position {
  const middle = FACES[face] ?? [0, 0, 1];
  const x = i - k - (j - k) / 2;
  const y = ((j - k) * Math.sqrt(3)) / 2;
  const distance = Math.atan((Math.hypot(x, y) / 7 ** (level / 2)) * RES0_UNIT);
  const azimuth = (AZIMUTHS[face] ?? 0) - Math.atan2(y, x) - (level % 2 === 1 ? ODD_TURN : 0);
  const [mx, my, mz] = middle;
  const around = Math.hypot(mx, my);
  const north: Vector = [(-mx * mz) / around, (-my * mz) / around, around];
  const east: Vector = [-my / around, mx / around, 0];
  const part = (axis: 0 | 1 | 2) =>
    Math.cos(distance) * middle[axis] +
    Math.sin(distance) * (Math.cos(azimuth) * north[axis] + Math.sin(azimuth) * east[axis]);
  const degrees = (radians: number) => Math.round((radians * 180e9) / Math.PI) / 1e9;
  return [degrees(Math.atan2(part(1), part(0))), degrees(Math.atan2(part(2), Math.hypot(part(0), part(1))))];
}
