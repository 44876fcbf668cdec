/**
 * Filters alone and in random combinations, with and without a circle, compared with the plain loop.
 * @module
 */
import { type Check, check, type Kit } from "../check.ts";
import { comparePage } from "../compare.ts";
import { NotApplicable } from "../expect.ts";
import type { Parameters } from "../filters.ts";
import type { Oracle } from "../oracle.ts";
import { SEARCH_PATHS, type SearchPath, titleOf } from "../paths.ts";
import { type Random, randomFrom } from "../random.ts";
import { DRAWN, drawFilter } from "../random-filters.ts";
import { randomCircle, randomPage } from "../searches.ts";
import type { SourceRow } from "../source-rows.ts";
import { isOvertureType, type OvertureType } from "../types.ts";

/** Searches with one filter. */
const ALONE = 6;

/** Rows to try until one has a value for the filter. */
const DRAWS = 2000;

/** Searches with two or more filters per path: more than 500 in total. */
const COMBINED = 100;

/** Makes the checks of filters. */
export function filterChecks(_oracle: Oracle): Check[] {
  return SEARCH_PATHS.flatMap((path) => {
    const filters = path.own.filter((name) => DRAWN.includes(name));
    if (filters.length === 0) return [];
    return [
      ...filters.map((name) =>
        check(`${titleOf(path.path)}: ${name} equals the plain loop`, async (kit) => {
          const random = randomFrom(name.length);
          let tested = 0;
          for (let i = 0; i < DRAWS && tested < ALONE; i++) if (await search(kit, path, random, [name])) tested++;
          if (tested === 0) throw new NotApplicable(`the sources have no value for ${name}`);
        }),
      ),
      check(`${titleOf(path.path)}: ${COMBINED} random combinations of filters equal the plain loop`, async (kit) => {
        const random = randomFrom(path.path.length);
        for (let i = 0; i < COMBINED; i++) {
          const chosen = filters.filter(() => random.chance(2.5 / filters.length));
          await search(kit, path, random, chosen);
        }
      }),
    ];
  });
}

/** Sends one search with these filters. False if no filter has a value. */
async function search(kit: Kit, path: SearchPath, random: Random, filters: readonly string[]): Promise<boolean> {
  const { client, oracle, countries } = kit;
  const types = randomTypes(random, path);
  const rows = oracle.served(path, types);
  if (rows.length === 0) return false;
  const row = random.of(rows);
  const drawn: Record<string, string> = {};
  for (const name of filters) {
    const value = drawFilter(random, name, row);
    if (value !== undefined) drawn[name] = value;
  }
  if (Object.keys(drawn).length === 0) return false;
  const bounds = Object.keys(drawn).filter((name) => /^(min|max)_/.test(name));
  if (bounds.length > 0 && random.chance(0.4)) drawn.include_unknown = random.of(bounds);
  const where = placeOf(path, random, row, drawn);
  const parameters = { ...types, ...drawn, ...where, ...randomPage(random) };
  const { country } = parameters;
  const ids = country === undefined ? undefined : await countries.ids(path, typesOf(path, types), country);
  const answer = await client.get(path.path, { ...parameters, includes: "ext_distance,type" });
  comparePage(
    answer,
    parameters,
    oracle.find(path, parameters, ({ id }) => ids?.has(id) ?? false),
  );
  return true;
}

const typesOf = ({ types }: SearchPath, chosen: Parameters): readonly OvertureType[] =>
  chosen.types?.split(",").filter(isOvertureType) ?? types;

function randomTypes(random: Random, { choices }: SearchPath): Parameters {
  if (!choices || random.chance(0.3)) return {};
  return { types: random.chance(0.3) ? choices.join(",") : random.of(choices) };
}

function placeOf(path: SearchPath, random: Random, row: SourceRow, drawn: Parameters): Parameters {
  const isPlaced = drawn.name !== undefined || drawn.bbox !== undefined;
  if (path.own.includes("bbox") && isPlaced && random.chance(0.4)) return {};
  const circle = randomCircle(random, [row]);
  if (random.chance(0.5)) return circle;
  const country = random.of(["US", "MC", "FR"]);
  return random.chance(0.2) ? { ...circle, country } : { country };
}
