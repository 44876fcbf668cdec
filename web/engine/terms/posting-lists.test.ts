import { expect, test } from "vitest";
import { ALL_COUNTRIES } from "../../../data/format/manifest.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { openDataset } from "../dataset.ts";
import { type MadeUpRow, makeDataset } from "../testing/made-up-dataset.ts";
import { type Random, randomFrom } from "../testing/random.ts";
import { createSessions } from "../testing/session.ts";
import { memorySource } from "../testing/sources.ts";
import { baseOf, firstFrom, intersected, numbersInRange, numbersInRanges } from "./posting-lists.ts";
import { postingRangeOf, type TermRun } from "./term-index.ts";

function randomList(random: Random, most: number): Float64Array {
  const share = random.of([0, 0.01, 0.2, 0.9, 1]);
  return Float64Array.from(Array.from({ length: most }, (_, i) => i * 3).filter(() => random.between(0, 1) < share));
}

test("the first number at or above another is found from any index", () => {
  const random = randomFrom(3);
  for (let round = 0; round < 300; round++) {
    const numbers = randomList(random, random.of([0, 1, 2, 5, 200]));
    const start = random.below(numbers.length + 1);
    const least = random.below(620) - 5;
    const plain = numbers.findIndex((number, i) => i >= start && number >= least);
    expect(firstFrom(numbers, start, least), `${numbers} ${start} ${least}`).toBe(plain < 0 ? numbers.length : plain);
  }
});

test("the intersection of several lists matches a plain loop, in order", () => {
  const random = randomFrom(4);
  for (let round = 0; round < 200; round++) {
    const lists = Array.from({ length: 1 + random.below(4) }, () => randomList(random, random.of([0, 1, 30, 300])));
    const sets = lists.map((list) => new Set(list));
    const plain = [...(lists[0] ?? [])].filter((number) => sets.every((set) => set.has(number)));
    expect([...intersected(lists)]).toEqual(plain);
  }
  expect([...intersected([])]).toEqual([]);
});

const WORDS = ["alpha", "alpine", "alps", "beta", "bet", "gamma"];

function wordyRows(): (MadeUpRow & { readonly words: readonly string[] })[] {
  const random = randomFrom(5);
  return Array.from({ length: 120 }, (_, i) => {
    const words = WORDS.filter(() => random.below(3) === 0);
    return {
      id: `r${String(i).padStart(3, "0")}`,
      country: random.of(["AA", "BB"]),
      geometry: { type: "Point", coordinates: [i / 100, 0] },
      words,
      values: words.length > 0 ? { names: `{'primary': '${words.join(" ")}'}` } : {},
    };
  });
}

test.each([1, 2, 100])(
  "slices of %i terms contain the numbers of the rows that have a word or a prefix",
  async (termsPerSlice) => {
    const rows = wordyRows();
    const files = await makeDataset(
      { division: rows },
      { termsPerSlice, rowsPerGroup: 5, rowsPerSegment: 17, rowsPerPartition: 200 },
    );
    const session = (await createSessions(memorySource(files)))();
    const dataset = openDataset({ source: memorySource(files), decode: decodeParquet });
    // numbers of all countries ascend by (country, id)
    const idsByNumber = async (country: string, term: string) => {
      const query = {
        collections: ["division"],
        country,
        filters: { terms: [[term]] },
        offset: 0,
        limit: 1000,
      } as const;
      return [...(await dataset.search(query)).features(new Set())].map(({ id }) => id);
    };
    for (const country of ["AA", "BB", ALL_COUNTRIES]) {
      const run: TermRun = { session, collection: "division", run: "term", country };
      const own = rows.filter((row) => country === ALL_COUNTRIES || row.country === country);
      for (const prefix of [...WORDS, "al", "b", "nothing"]) {
        const having = own.filter(({ words }) => words.some((word) => word.startsWith(prefix)));
        const numbers = await numbersInRange(run, await postingRangeOf(run, `name:${prefix}`));
        expect(numbers.length, `${country} ${prefix}`).toBe(having.length);
        expect([...numbers], `${country} ${prefix}`).toEqual([...new Set(numbers)].sort((a, b) => a - b));
        expect(numbers.every((number) => number >= baseOf(run))).toBe(true);
        if (country !== ALL_COUNTRIES)
          expect(await idsByNumber(country, `name:${prefix}`)).toEqual(having.map(({ id }) => id));
      }
      const places = await Promise.all(["name:alp", "name:bet"].map((term) => postingRangeOf(run, term)));
      const any = own.filter(({ words }) => words.some((word) => word.startsWith("alp") || word.startsWith("bet")));
      expect((await numbersInRanges(run, places)).length).toBe(any.length);
    }
  },
);

test("no row has the code for all countries as its country", async () => {
  const files = await makeDataset({ division: wordyRows() }, { rowsPerPartition: 200 });
  const dataset = openDataset({ source: memorySource(files), decode: decodeParquet });
  for (const filters of [undefined, { terms: [["name:al"]] }, { terms: [["name:alpha"]] }]) {
    const query = {
      collections: ["division"],
      country: ALL_COUNTRIES,
      ...(filters ? { filters } : {}),
      offset: 0,
      limit: 5,
    } as const;
    expect((await dataset.search(query)).total).toBe(0);
  }
  const everywhere = { collections: ["division"], filters: { terms: [["name:al"]] }, offset: 0, limit: 5 } as const;
  expect((await dataset.search(everywhere)).total).toBeGreaterThan(20);
});
