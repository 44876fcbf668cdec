/**
 * Searches by country.
 * @module
 */
import { type Check, check } from "../check.ts";
import { countHeader, itemsOf } from "../client.ts";
import { comparePage } from "../compare.ts";
import { isCertainlyIn } from "../countries.ts";
import { expect, NotApplicable } from "../expect.ts";
import { textAt } from "../json.ts";
import { compareIds, type Oracle } from "../oracle.ts";
import { SEARCH_PATHS, type SearchPath, titleOf } from "../paths.ts";
import { randomFrom } from "../random.ts";
import { randomCircle, randomPage } from "../searches.ts";
import { DECLARED, type OvertureType } from "../types.ts";

/** User-assigned: never a country. */
const NOWHERE = "QZ";

/** Makes the checks of searches by country. */
export function countryChecks(oracle: Oracle): Check[] {
  return SEARCH_PATHS.flatMap((path) => [
    ...(path.choices ?? path.types).map((type) =>
      DECLARED.has(type) ? declaredCheck(path, type) : locatedCheck(path, type),
    ),
    check(`${titleOf(path.path)}: a country without data is an empty list with count 0`, async ({ client }) => {
      const answer = await client.get(path.path, { country: NOWHERE });
      expect.equal("records", itemsOf(answer).length, 0);
      expect.equal("Pagination-Count", countHeader(answer, "Pagination-Count"), 0);
    }),
    check(`${titleOf(path.path)}: the case of country is ignored`, async ({ client }) => {
      const bodies = [];
      for (const country of ["MC", "mc", "Mc"]) {
        const answer = await client.get(path.path, { country, limit: "20", includes: "type" });
        itemsOf(answer);
        bodies.push(answer.text);
      }
      expect.equal("bodies", new Set(bodies).size, 1);
    }),
    ...(oracle.served(path, {}).length > 0 ? [bothCheck(path)] : []),
  ]);
}

const typesOf = ({ choices }: SearchPath, type: OvertureType) => (choices ? { types: type } : {});

function declaredCheck(path: SearchPath, type: OvertureType): Check {
  return check(
    `${titleOf(path.path)}: country returns the ${type} rows that declare it, by id`,
    async ({ client, oracle }) => {
      const rows = oracle.rowsOf([type]);
      if (rows.length === 0) throw new NotApplicable("the sources have no such rows");
      const random = randomFrom(type.length);
      for (let i = 0; i < 10; i++) {
        const country = textAt(random.of(rows).properties, "country") ?? "US";
        const parameters = { ...typesOf(path, type), country, ...randomPage(random) };
        comparePage(
          await client.get(path.path, { ...parameters, includes: "type" }),
          parameters,
          oracle.find(path, parameters),
        );
      }
    },
  );
}

function locatedCheck(path: SearchPath, type: OvertureType): Check {
  const name = `${titleOf(path.path)}: country returns the ${type} rows that are certainly in it, by id`;
  return check(name, async ({ oracle, countries }) => {
    const rows = oracle.served(path, typesOf(path, type));
    let tested = 0;
    for (const country of ["US", "MC"]) {
      const ids = await countries.ids(path, [type], country);
      const known = new Set(rows.map(({ id }) => id));
      for (const id of ids) expect.true(`country=${country}`, known.has(id), id, "ids of the sources");
      const ordered = [...ids].sort(compareIds);
      expect.equal(
        `country=${country}: order`,
        [...ids].findIndex((id, i) => id !== ordered[i]),
        -1,
      );
      for (const row of rows) {
        if (!isCertainlyIn(row, country)) continue;
        tested++;
        expect.true(`country=${country}`, ids.has(row.id), `no ${row.id}`, "every row in the country");
      }
    }
    if (tested === 0) throw new NotApplicable("the sources have no row with a certain country");
  });
}

function bothCheck(path: SearchPath): Check {
  const name = `${titleOf(path.path)}: country and circle must both hold`;
  return check(name, async ({ client, oracle, countries }) => {
    const random = randomFrom(path.path.length);
    const rows = oracle.served(path, {});
    for (let i = 0; i < 6; i++) {
      const country = random.of(["US", "MC", "FR"]);
      const ids = await countries.ids(path, path.types, country);
      const parameters = { ...randomCircle(random, rows), ...randomPage(random), country };
      const answer = await client.get(path.path, { ...parameters, includes: "ext_distance,type" });
      comparePage(
        answer,
        parameters,
        oracle.find(path, parameters, ({ id }) => ids.has(id)),
      );
    }
  });
}
