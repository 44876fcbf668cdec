/**
 * Finds a house along a street from few of its houses: numbers ascend along streets, so two known ones give an
 * estimate of the positions between and beyond them.
 * @module
 */

/** A position in a plane: metres east and north of an origin. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** The position of one or more addresses. */
export interface House extends Spot {
  /** Distance in metres from the known part of the street; Infinity far from it. */
  readonly offMeters: number;
}

/** A house of the street that was read. */
interface Known extends Spot {
  readonly value: number;
}

export interface HouseSearch<H extends House> {
  /** The wanted house number, as a number. */
  readonly wanted: number;
  /** Returns all known houses, including those around the position. */
  readonly housesAt: (spot: Spot | undefined) => Promise<readonly H[]>;
  /** Reads houses. Returns all known ones that belong to the street; undefined when one of them is the wanted house. */
  readonly read: (houses: readonly H[]) => Promise<readonly Known[] | undefined>;
}

/** Limits on houses: of the first round, spread over the street, of each further round, and in total. */
const FIRST = 8;
const EACH = 5;
const MOST = 33;

/** Houses are rarely farther from the middle of their street. */
const CLOSE_METERS = 45;

/** Farther from the known part of the street, all are equally unlikely. */
const FAR_METERS = 400;

/**
 * Reads houses near the expected position until the wanted one is found, none is left, or 33 were read. `read` keeps what was
 * found.
 */
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
    const wider = await read(next);
    if (!wider) return;
    fruitless = wider.length > known.length ? 0 : fruitless + 1;
    known = wider;
  }
}

/** In most streets one side has odd numbers, the other even ones. */
function ofSameSide(known: readonly Known[], wanted: number): readonly Known[] {
  const same = known.filter(({ value }) => isSameSide(value, wanted));
  return same.length > 1 ? same : known;
}

function isSameSide(value: number, wanted: number): boolean {
  return (value - wanted) % 2 === 0;
}

/** The expected position of the number, and the direction of the street there. */
interface Expected extends Spot {
  /** Unit vector along the street towards the number; zero if unknown. */
  readonly along: Spot;
  /** Metres between the two houses of the estimate. */
  readonly meters: number;
  /** The last known house of the street, if the number is beyond it. */
  readonly end?: Spot;
}

/**
 * Beyond the last known house numbers may ascend at another rate: the search proceeds in steps, longer ones after a
 * miss.
 */
const STEP_METERS = 300;

/** After a miss the search tries both sides: numbers jump between blocks. */
const ELSEWHERE = [0, -0.25, 0.25, -0.4, 0.4];

/** Estimated from the nearest numbers; undefined while no number is known. */
function expectedAt(known: readonly Known[], wanted: number, fruitless: number): Expected | undefined {
  const order = known.toSorted((a, b) => a.value - b.value);
  const above = order.findIndex(({ value }) => value >= wanted);
  const [low, high] = [order[above - 1], order[above]];
  if (low && high) return between(low, high, wanted, ELSEWHERE[fruitless] ?? 0);
  const end = above === 0 ? high : order.at(-1);
  if (!end) return undefined;
  // a distant house gives the best direction
  const [other] = order
    .filter(({ value }) => value !== end.value)
    .sort((a, b) => metersApart(b, end) - metersApart(a, end));
  const meters = other ? metersApart(other, end) : 0;
  if (!other || meters < CLOSE_METERS) return { ...end, along: { x: 0, y: 0 }, meters: 0, end };
  const estimated = (meters * (wanted - end.value)) / (end.value - other.value);
  const step = Math.min(estimated, Math.max(STEP_METERS, meters) * (1 + fruitless));
  const along = { x: (end.x - other.x) / meters, y: (end.y - other.y) / meters };
  return { x: end.x + step * along.x, y: end.y + step * along.y, along, meters, end };
}

/** On the line between both, by number, shifted by a share of the distance. */
function between(low: Known, high: Known, wanted: number, elsewhere: number): Expected {
  const meters = metersApart(low, high);
  const estimated = high.value === low.value ? 1 : (wanted - low.value) / (high.value - low.value);
  const share = Math.max(0, Math.min(1, estimated + elsewhere));
  const [dx, dy] = [high.x - low.x, high.y - low.y];
  const along = meters === 0 ? { x: 0, y: 0 } : { x: dx / meters, y: dy / meters };
  return { x: low.x + share * dx, y: low.y + share * dy, along, meters };
}

function metersApart(a: Spot, b: Spot): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** A house this near to a house of the opposite side counts as one of that side. */
const ACROSS_METERS = 60;
const AROUND_METERS = 400;

/** A house much farther from the street than the known ones belongs to another street. */
const BESIDE = 2;

/** Houses around a yard count as one, unless few others are left. */
const APART_METERS = 15;

interface Likely extends Expected {
  readonly known: readonly Known[];
  readonly wanted: number;
}

/** Houses around the expected position; beyond the last known one also some along the rest of the street. */
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

/** Houses near the street, each as far as possible from those before it; if few are near, the nearest. */
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
