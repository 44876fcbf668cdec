/**
 * How well a suggestion fits: how the words match, how important it is, how near. The figures were tried on the sample, and
 * say no more than which comes before which.
 * @module
 */
import { nearestInBBox } from "../../../data/format/bbox-distance.ts";
import { foldText } from "../../../data/format/fold.ts";
import { originAt } from "../../../data/format/sphere.ts";
import { metersApart, type Point, type Scope } from "./scope.ts";
import type { FoundAddress } from "./suggest-addresses.ts";
import type { FoundDivision } from "./suggest-divisions.ts";
import type { LocalFound } from "./suggest-local.ts";
import { firstOfEach, type Match, type Meaning, type Scored } from "./suggestion.ts";

const OF_MATCH: Readonly<Record<Match, number>> = {
  exact: 3,
  words: 2,
  prefix: 1,
  category: 0.5,
  part: -1,
  misspelt: 0,
  "near-number": 2,
};

/** Of a name that is not the one shown. */
const OTHER_NAME = -0.5;

/** All words have a meaning where some name a division and the others lie in it. */
export const WITHIN = 1;

/** More people mean a town than a shop of its name. */
const DIVISION = 1.5;

/** Of divisions of one name the country is meant. */
const COUNTRY = 0.3;

/** A street is where other things are: as much as a place that is surely there. */
const STREET = 1;

/** People begin with the beginning. */
const BEGINS = 0.3;

/** Who types a category looks for any of its places, rather than for one whose name has the word. */
const CATEGORY = 2;

/** Nothing but an address has the number of a house and its street; how well the street's name fits tells more than how near it is. */
const ADDRESS = 4;
const ADDRESS_FIT = 5;

/** A hundred metres away, and the least for what is farther than some thousand kilometres. */
const NEAREST = 2;
const FARTHEST = -3;

/** Each ten times as far takes one away. Within its box nothing is far. */
function nearness(near: Point | undefined, { kind, bbox, lon, lat }: Meaning): number {
  if (!near) return 0;
  const isArea = kind === "division" || kind === "country";
  const meters = isArea && bbox ? nearestInBBox(originAt(near.lon, near.lat), bbox) : metersApart(near, { lon, lat });
  return Math.max(FARTHEST, NEAREST - Math.log10(Math.max(100, meters) / 100));
}

function begins({ name }: Meaning, [word = ""]: readonly string[]): number {
  return foldText(name).startsWith(word) ? BEGINS : 0;
}

export function divisionScore({ division, population }: FoundDivision, near: Point | undefined): number {
  const { match = "prefix", matched, within } = division;
  const other = matched === undefined ? 0 : OTHER_NAME;
  const people = Math.log10(population + 1) / 2;
  const kind = DIVISION + (division.kind === "country" ? COUNTRY : 0);
  return OF_MATCH[match] + other + people + kind + (within ? WITHIN : 0) + nearness(near, division);
}

export function localScore(
  { suggestion, confidence }: LocalFound,
  { near, words }: Pick<Scope, "near" | "words">,
): number {
  const { kind, match = "prefix", matched, within } = suggestion;
  const other = matched === undefined ? 0 : OTHER_NAME;
  const own = OF_MATCH[match] + other + (within ? WITHIN : 0) + begins(suggestion, words);
  if (kind === "category") return own + CATEGORY + (match === "exact" ? 1 : 0);
  return own + (kind === "street" ? STREET : confidence) + nearness(near, suggestion);
}

export function addressScore({ suggestion, fit }: FoundAddress, near: Point | undefined): number {
  const { match = "near-number", within } = suggestion;
  return ADDRESS + OF_MATCH[match] + ADDRESS_FIT * fit + (within ? WITHIN : 0) + nearness(near, suggestion);
}

/** All by their scores, each once. With no point to be near to, divisions keep the order that they have. */
export function byScore({
  divisions,
  others,
  isNear,
}: {
  readonly divisions: readonly Scored[];
  readonly others: readonly Scored[];
  readonly isNear: boolean;
}): Scored[] {
  let least = Number.POSITIVE_INFINITY;
  const falling = divisions.map(({ suggestion, score }) => {
    least = Math.min(least, score);
    return { suggestion, score: isNear ? score : least };
  });
  // a division that has all the words is told for them, not for where it lies
  const first = new Set(falling.map(({ suggestion }) => suggestion.id));
  const rest = others.filter(({ suggestion }) => !first.has(suggestion.id));
  return firstOfEach(
    [...falling, ...rest].sort((a, b) => b.score - a.score),
    ({ kind, id }) => `${kind} ${id}`,
  );
}
