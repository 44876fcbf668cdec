/**
 * Searches against the plain loop: rows, order, distances and counts.
 * @module
 */
import { type Check, check } from "../check.ts";
import { comparePage } from "../compare.ts";
import { NotApplicable } from "../expect.ts";
import type { Parameters } from "../filters.ts";
import type { Oracle } from "../oracle.ts";
import { SEARCH_PATHS, type SearchPath, titleOf } from "../paths.ts";
import { randomFrom } from "../random.ts";
import { randomCircle, randomPage } from "../searches.ts";

/** Random circles for each choice of types. */
const CIRCLES = 12;

export function exactChecks(oracle: Oracle): Check[] {
  return SEARCH_PATHS.flatMap((path) => typeChoices(path).map((types) => circleCheck(oracle, path, types)));
}

/** Each type alone, and all together. */
export function typeChoices({ choices }: SearchPath): Parameters[] {
  if (!choices) return [{}];
  return [{}, ...choices.map((type) => ({ types: type })), { types: choices.join(",") }];
}

function circleCheck(oracle: Oracle, path: SearchPath, types: Parameters): Check {
  const chosen = types.types === undefined ? "" : ` types=${types.types}`;
  return check(`${titleOf(path.path)}${chosen}: circles equal the plain loop`, async ({ client }) => {
    const random = randomFrom(path.path.length + chosen.length);
    const rows = oracle.served(path, types);
    if (rows.length === 0) throw new NotApplicable("the sources have no such rows");
    for (let i = 0; i < CIRCLES; i++) {
      const parameters = { ...types, ...randomCircle(random, rows), ...randomPage(random) };
      const answer = await client.get(path.path, { ...parameters, includes: "ext_distance,type" });
      comparePage(answer, parameters, oracle.find(path, parameters));
    }
  });
}
