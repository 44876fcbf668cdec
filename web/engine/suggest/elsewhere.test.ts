import { expect, test } from "vitest";
import { searchCountries } from "./elsewhere.ts";

const COUNTRIES = Array.from({ length: 250 }, (_, i) => `C${i}`);

/** Searches countries with the given cost each; one has the wanted result. */
async function searched(mostBytes: number, bytesOf: (at: number) => number, wanted = -1) {
  let spent = 1000;
  const rounds: string[][] = [];
  let round: string[] | undefined;
  const found = await searchCountries({
    countries: COUNTRIES,
    mostBytes,
    bytesSpent: () => spent,
    async search(country) {
      if (!round) {
        round = [];
        rounds.push(round);
      }
      round.push(country);
      await Promise.resolve();
      round = undefined;
      const at = COUNTRIES.indexOf(country);
      spent += bytesOf(at);
      return at === wanted ? [country] : [];
    },
    isEnough: (all) => all.length > 0,
  });
  return { found, rounds, spent: spent - 1000 };
}

test("countries are searched in order, twice as many in each round, until there is enough", async () => {
  const { found, rounds } = await searched(Number.POSITIVE_INFINITY, () => 1, 7);
  expect(found).toEqual(["C7"]);
  expect(rounds.map(({ length }) => length)).toEqual([3, 6]);
  expect(rounds.flat()).toEqual(COUNTRIES.slice(0, 9));
});

test("without a match all countries are searched in a few rounds", async () => {
  const { rounds } = await searched(Number.POSITIVE_INFINITY, () => 1);
  expect(rounds.flat()).toEqual(COUNTRIES);
  expect(rounds).toHaveLength(7);
});

test("a country that would probably exceed the limit is not searched", async () => {
  const even = await searched(100, () => 10);
  expect([even.spent, even.rounds.flat()]).toEqual([100, COUNTRIES.slice(0, 10)]);
  // a country that costs more than earlier ones ends the search
  const uneven = await searched(100, (at) => (at === 4 ? 90 : 5));
  expect(uneven.rounds.flat()).toEqual(COUNTRIES.slice(0, 9));
  expect(uneven.spent).toBe(3 * 5 + 90 + 5 * 5);
});
