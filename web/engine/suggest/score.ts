/**
 * Ranks suggestions by how well the words match, importance and distance. The values were tuned on the sample, and
 * only their order matters.
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
  intent: 2,
  part: -1,
  misspelt: 0,
  "near-number": 2,
};

/** Added if the name that matches is not the shown one. */
const OTHER_NAME = -0.5;

/** Added for a feature in a division that the other words name, because it uses all words. */
export const WITHIN = 1;

/** A town is more likely meant than a shop of its name. */
const DIVISION = 1.5;

/** Among divisions of one name the country is more likely meant. */
const COUNTRY = 0.3;

/** A street is as important as a place with full confidence. */
const STREET = 1;

/** Added for a name that starts with the first typed word. */
const BEGINS = 0.3;

/** A category is more likely meant than a place whose name has the word. */
const CATEGORY = 2;

/**
 * Only an address has both a house number and its street; the match of the street name counts more than the distance.
 */
const ADDRESS = 4;
const ADDRESS_FIT = 5;

/** Scores for distance: up to a hundred metres, and the least one at great distances. */
const NEAREST = 2;
const FARTHEST = -3;

/** Each factor of ten in distance subtracts one. A position inside a division's box counts as near. */
function nearness(near: Point | undefined, { kind, bbox, lon, lat }: Meaning): number {
  if (!near) return 0;
  const isArea = kind === "division" || kind === "country";
  const meters = isArea && bbox ? nearestInBBox(originAt(near.lon, near.lat), bbox) : metersApart(near, { lon, lat });
  return Math.max(FARTHEST, NEAREST - Math.log10(Math.max(100, meters) / 100));
}

function begins({ name }: Meaning, [word = ""]: readonly string[]): number {
  return foldText(name).startsWith(word) ? BEGINS : 0;
}

/** Returns the score of a division by its match, population and distance from `near`. Higher is better. */
export function divisionScore({ division, population }: FoundDivision, near: Point | undefined): number {
  const { match = "prefix", matched, within } = division;
  const other = matched === undefined ? 0 : OTHER_NAME;
  const people = Math.log10(population + 1) / 2;
  const kind = DIVISION + (division.kind === "country" ? COUNTRY : 0);
  return OF_MATCH[match] + other + people + kind + (within ? WITHIN : 0) + nearness(near, division);
}

/** Returns the score of a place, street or category by its match, confidence and distance. Higher is better. */
export function localScore(
  { suggestion, confidence }: LocalFound,
  { near, words }: Pick<Scope, "near" | "words">,
): number {
  const { kind, match = "prefix", matched, within, unused = [] } = suggestion;
  // the phrase of an intent is never shown, and each unused word makes it less likely
  const other = match === "intent" ? -unused.length : matched === undefined ? 0 : OTHER_NAME;
  const own = OF_MATCH[match] + other + (within ? WITHIN : 0);
  // a category that a word names whole is as likely under any of its names
  if (kind === "category") return own + CATEGORY + (match === "exact" ? 1 + BEGINS : begins(suggestion, words));
  return begins(suggestion, words) + own + (kind === "street" ? STREET : confidence) + nearness(near, suggestion);
}

/** Returns the score of an address by its match and distance from `near`. Higher is better. */
export function addressScore({ suggestion, fit }: FoundAddress, near: Point | undefined): number {
  const { match = "near-number", within } = suggestion;
  return ADDRESS + OF_MATCH[match] + ADDRESS_FIT * fit + (within ? WITHIN : 0) + nearness(near, suggestion);
}

/** Merges divisions and others by score, without duplicates. Unless `isNear`, divisions keep their order. */
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
  // a division that matches all words is listed for its name, not its location
  const first = new Set(falling.map(({ suggestion }) => suggestion.id));
  const rest = others.filter(({ suggestion }) => !first.has(suggestion.id));
  return firstOfEach(
    [...falling, ...rest].sort((a, b) => b.score - a.score),
    ({ kind, id }) => `${kind} ${id}`,
  );
}
