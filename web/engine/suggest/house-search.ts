/**
 * Looks for a house along a street by reading few of its houses: numbers rise along streets, so two that are known tell about
 * where those between them stand, and those beyond them.
 * @module
 */

/** Metres east and north of any origin. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** A place of addresses. */
export interface House extends Spot {
  /** Metres to what is known of the street; Infinity far from it. */
  readonly offMeters: number;
}

/** A house of the street that was read. */
export interface Known extends Spot {
  readonly value: number;
}

export interface HouseSearch<H extends House> {
  /** The value of the number that is looked for. */
  readonly wanted: number;
  /** All houses that are known of, those around the spot among them. */
  readonly housesAt: (spot: Spot | undefined) => Promise<readonly H[]>;
  /** Reads houses: those of all that were read that are of the street; undefined where one is what is looked for. */
  readonly read: (houses: readonly H[]) => Promise<readonly Known[] | undefined>;
}

/** Houses that are read first, spread over the street, in each further round, and in all. */
const FIRST = 8;
const EACH = 5;
const MOST = 33;

/** Houses of a street are hardly ever farther from its middle. */
const CLOSE_METERS = 45;

/** Farther from the street, as far as it is known, all are as unlikely. */
const FAR_METERS = 400;

/** Reads until it is found, nothing is left to read, or enough was. */
export async function searchHouses<H extends House>({ wanted, housesAt, read }: HouseSearch<H>): Promise<void> {
  const done = new Set<H>();
  let known: readonly Known[] = [];
  let fruitless = 0;
  while (done.size < MOST) {
    const expected = expectedAt(fruitless % 2 === 0 ? known : ofSameSide(known, wanted), wanted, fruitless);
    const houses = await housesAt(expected);
    const left = houses.filter((house) => !done.has(house));
    const count = Math.min(MOST - done.size, done.size === 0 ? FIRST : EACH);
    const next = expected
      ? likely(left, [...done], { ...expected, known, wanted }, count)
      : spread(left, [...done], count);
    if (next.length === 0) return;
    for (const house of next) done.add(house);
    const told = await read(next);
    if (!told) return;
    fruitless = told.length > known.length ? 0 : fruitless + 1;
    known = told;
  }
}

/** In most streets one side has the odd numbers, the other the even. */
function ofSameSide(known: readonly Known[], wanted: number): readonly Known[] {
  const same = known.filter(({ value }) => isSameSide(value, wanted));
  return same.length > 1 ? same : known;
}

function isSameSide(value: number, wanted: number): boolean {
  return (value - wanted) % 2 === 0;
}

/** Where the number should be, and which way the street runs there. */
interface Expected extends Spot {
  /** Along the street towards the number, of length 1; of length 0 where it is not known. */
  readonly along: Spot;
  /** Metres between those that tell it. */
  readonly meters: number;
  /** The last house of the street that is known, where the number is beyond it. */
  readonly end?: Spot;
}

/** Beyond the last that is known, numbers may rise in another way: it is looked for in steps, longer ones where nothing was found. */
const STEP_METERS = 300;

/** Where nothing was found, it is looked for on either side: numbers leap from block to block. */
const ELSEWHERE = [0, -0.25, 0.25, -0.4, 0.4];

/** By the numbers next to it; undefined while none is known. */
function expectedAt(known: readonly Known[], wanted: number, fruitless: number): Expected | undefined {
  const order = known.toSorted((a, b) => a.value - b.value);
  const above = order.findIndex(({ value }) => value >= wanted);
  const [low, high] = [order[above - 1], order[above]];
  if (low && high) return between(low, high, wanted, ELSEWHERE[fruitless] ?? 0);
  const end = above === 0 ? high : order.at(-1);
  if (!end) return undefined;
  // one that is far away tells the way best
  const [other] = order
    .filter(({ value }) => value !== end.value)
    .sort((a, b) => metersApart(b, end) - metersApart(a, end));
  const meters = other ? metersApart(other, end) : 0;
  if (!other || meters < CLOSE_METERS) return { ...end, along: { x: 0, y: 0 }, meters: 0, end };
  const told = (meters * (wanted - end.value)) / (end.value - other.value);
  const step = Math.min(told, Math.max(STEP_METERS, meters) * (1 + fruitless));
  const along = { x: (end.x - other.x) / meters, y: (end.y - other.y) / meters };
  return { x: end.x + step * along.x, y: end.y + step * along.y, along, meters, end };
}

/** On the line between both, by the number, or a share of the way beside that. */
function between(low: Known, high: Known, wanted: number, elsewhere: number): Expected {
  const meters = metersApart(low, high);
  const told = high.value === low.value ? 1 : (wanted - low.value) / (high.value - low.value);
  const share = Math.max(0, Math.min(1, told + elsewhere));
  const [dx, dy] = [high.x - low.x, high.y - low.y];
  const along = meters === 0 ? { x: 0, y: 0 } : { x: dx / meters, y: dy / meters };
  return { x: low.x + share * dx, y: low.y + share * dy, along, meters };
}

function metersApart(a: Spot, b: Spot): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** A house next to one of the other side's is of that side. */
const ACROSS_METERS = 60;
const AROUND_METERS = 400;

/** What is beside the street by more than its houses are is of another. */
const BESIDE = 2;

/** Those that share a yard tell as much as one of them, until it must be one of them. */
const APART_METERS = 15;

interface Likely extends Expected {
  readonly known: readonly Known[];
  readonly wanted: number;
}

/** Those around where it should be; beyond the last that is known some from all over the rest of the street too. */
function likely<H extends House>(houses: readonly H[], done: readonly H[], expected: Likely, count: number): H[] {
  const { end, along } = expected;
  if (!end) return nearest(houses, expected, count);
  const beyond = houses.filter(({ x, y }) => (x - end.x) * along.x + (y - end.y) * along.y >= 0);
  const chosen = nearest(houses, expected, count - FROM_ALL_OVER);
  const close = beyond.filter((house) => house.offMeters <= CLOSE_METERS && !chosen.includes(house));
  return [...chosen, ...spread(close, [...done, ...chosen], FROM_ALL_OVER)];
}

const FROM_ALL_OVER = 2;

function nearest<H extends House>(houses: readonly H[], expected: Likely, count: number): H[] {
  const { x, y, along, known, wanted } = expected;
  const around = known.filter((one) => metersApart(one, expected) < AROUND_METERS);
  const otherSide = (house: House): number => {
    let [least, value] = [ACROSS_METERS, wanted];
    for (const one of around) {
      const meters = metersApart(one, house);
      if (meters < least) [least, value] = [meters, one.value];
    }
    return isSameSide(value, wanted) ? 0 : ACROSS_METERS;
  };
  const keyed = houses.map((house) => {
    const [dx, dy] = [house.x - x, house.y - y];
    const beside = Math.max(0, Math.abs(dx * along.y - dy * along.x) - 2 * CLOSE_METERS);
    const off = Math.max(0, Math.min(FAR_METERS, house.offMeters) - CLOSE_METERS);
    return { house, away: Math.hypot(dx, dy) + BESIDE * (beside + off) + otherSide(house) };
  });
  const order = keyed.sort((a, b) => a.away - b.away).map(({ house }) => house);
  if (!expected.end && expected.meters < 10 * APART_METERS) return order.slice(0, count);
  const chosen: H[] = [];
  for (const house of order) {
    if (chosen.length === count) break;
    if (chosen.every((other) => metersApart(other, house) >= APART_METERS)) chosen.push(house);
  }
  return chosen;
}

/** Of those close to the street each as far as can be from those before it; where few are close, those that are closest. */
function spread<H extends House>(houses: readonly H[], done: readonly H[], count: number): H[] {
  const close = houses.filter(({ offMeters }) => offMeters <= CLOSE_METERS);
  if (close.length <= count) return houses.toSorted((a, b) => a.offMeters - b.offMeters).slice(0, count);
  const chosen: H[] = [];
  const away = close.map((house) => Math.min(...done.map((other) => metersApart(house, other))));
  while (chosen.length < count) {
    const house = close[away.indexOf(Math.max(...away))];
    if (!house) break;
    chosen.push(house);
    for (const [i, other] of close.entries()) away[i] = Math.min(away[i] ?? 0, metersApart(other, house));
  }
  return chosen;
}
