/**
 * Searches by circle against the plain loop: rows, order, distances and counts.
 * @module
 */
import { type Check, check } from "../check.ts";
import { countHeader, itemsOf } from "../client.ts";
import { comparePage } from "../compare.ts";
import { expect, NotApplicable } from "../expect.ts";
import type { Parameters } from "../filters.ts";
import type { Oracle } from "../oracle.ts";
import { SEARCH_PATHS, type SearchPath, titleOf } from "../paths.ts";
import { randomFrom } from "../random.ts";
import { randomCircle, randomPage } from "../searches.ts";

/** Random circles for each choice of types. */
const CIRCLES = 10;

/** Slightly more than half the earth's circumference. */
const WHOLE_EARTH_METERS = "20100000";

/** Centres at the antimeridian and the poles. */
const HARD_CENTRES: readonly Parameters[] = [
  { lat: "0", lng: "180" },
  { lat: "-17.5", lng: "-180" },
  { lat: "-17.5", lng: "179.9" },
  { lat: "66", lng: "-179.99" },
  { lat: "90", lng: "0" },
  { lat: "90", lng: "123" },
  { lat: "-90", lng: "0" },
  { lat: "-89.5", lng: "-180" },
  { lat: "0", lng: "0" },
];

/** Makes the checks of searches by circle. */
export function exactChecks(oracle: Oracle): Check[] {
  return SEARCH_PATHS.flatMap((path) => [
    ...typeChoices(path).map((types) => circleCheck(oracle, path, types)),
    hardCentreCheck(path),
    wholeEarthCheck(path),
  ]).concat(antimeridianCheck);
}

/** Each type alone, and all together. */
export function typeChoices({ choices }: SearchPath): Parameters[] {
  if (!choices) return [{}];
  return [{}, ...choices.map((type) => ({ types: type })), { types: choices.join(",") }];
}

const allTypes = ({ choices }: SearchPath): Parameters => (choices ? { types: choices.join(",") } : {});

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

function hardCentreCheck(path: SearchPath): Check {
  const name = `${titleOf(path.path)}: circles at the antimeridian, the poles and 0,0 equal the plain loop`;
  return check(name, async ({ client, oracle }) => {
    for (const centre of HARD_CENTRES) {
      const parameters = { ...centre, ...allTypes(path), radius: "2500000", limit: "50" };
      const answer = await client.get(path.path, { ...parameters, includes: "ext_distance,type" });
      comparePage(answer, parameters, oracle.find(path, parameters));
    }
  });
}

function wholeEarthCheck(path: SearchPath): Check {
  return check(`${titleOf(path.path)}: a circle as large as the earth holds every row`, async ({ client, oracle }) => {
    const types = allTypes(path);
    const answer = await client.get(path.path, {
      lat: "40",
      lng: "-100",
      radius: WHOLE_EARTH_METERS,
      limit: "1",
      ...types,
    });
    itemsOf(answer);
    expect.equal("Pagination-Count", countHeader(answer, "Pagination-Count"), oracle.served(path, types).length);
  });
}

const antimeridianCheck = check("divisions: lng=180 and lng=-180 are one meridian", async ({ client }) => {
  const around = { lat: "-17", radius: "900000", types: "division,division_area", includes: "ext_distance,type" };
  const east = await client.get("/divisions", { ...around, lng: "180" });
  const west = await client.get("/divisions", { ...around, lng: "-180" });
  expect.equal(
    "ids",
    itemsOf(west)
      .map(({ id }) => id)
      .join(),
    itemsOf(east)
      .map(({ id }) => id)
      .join(),
  );
});
