import { describe, expect, test } from "vitest";
import { type MadeUpPartition, type MadeUpRelease, makeRelease } from "../testing/made-up-release.ts";
import { postingRangeOf } from "./term-index.ts";

const part = (first: string, last = first): MadeUpPartition => ({ country: "AA", first, last });
/** Four nodes per page, on two levels. */
const TERMS: readonly MadeUpPartition[] = [
  ...[part("category:bar"), part("category:zoo"), part("name:aa", "name:ab"), part("name:bar", "name:barber")],
  ...[part("name:barn", "name:barony"), part("name:bass", "name:cabin"), part("name:cafe"), part("name:cafe")],
  ...[part("name:cafes"), part("name:dab", "name:dot"), part("name:east", "name:end"), part("name:fa", "name:zz")],
  ...[part("prefix:b"), part("prefix:ba"), part("prefix:ba"), part("prefix:ba")],
  ...[part("prefix:ba"), part("prefix:ba"), part("prefix:bar"), part("prefix:caf")],
];

function open(): MadeUpRelease {
  return makeRelease({ term: TERMS }, { nodesPerPage: 4, levels: 2 });
}

async function placeIn({ session }: MadeUpRelease, term: string) {
  const { first, last, partitions, isCounted } = await postingRangeOf(
    { session, collection: "place", run: "term", country: "AA" },
    term,
  );
  return {
    range: [first, last],
    partitions: partitions.map((node) => `${node.first_term}..${node.last_term}`),
    isCounted,
  };
}

describe("the rows of a term", () => {
  test("that is a prefix of many names are precomputed, and are found in one round below the roots, on all their pages", async () => {
    const index = open();
    const { range, partitions, isCounted } = await placeIn(index, "name:ba");
    expect(range).toEqual(["prefix:ba", "prefix:ba"]);
    expect(partitions).toEqual(Array(5).fill("prefix:ba..prefix:ba"));
    expect(isCounted).toBe(true);
    expect(index.rounds).toEqual([
      ["category:bar", "prefix:ba"],
      ["prefix:b", "prefix:ba"],
    ]);
  });

  test("whose precomputed rows are stored under a longer prefix are those", async () => {
    const index = open();
    expect(await placeIn(index, "name:ca")).toMatchObject({ range: ["prefix:caf", "prefix:caf"], isCounted: true });
  });

  test("that is a prefix of one name are the rows of that name, counted, on any number of pages", async () => {
    const index = makeRelease(
      { term: [...Array(9).fill(part("name:inn")), part("prefix:k")] },
      { nodesPerPage: 4, levels: 2 },
    );
    const { range, partitions, isCounted } = await placeIn(index, "name:in");
    expect({ range, isCounted }).toEqual({ range: ["name:inn", "name:inn"], isCounted: true });
    expect(partitions).toHaveLength(9);
  });

  test("that is a prefix of few names are the rows of the names", async () => {
    const index = open();
    expect(await placeIn(index, "name:dab")).toEqual({
      range: ["name:dab", "name:dab\u{10ffff}"],
      partitions: ["name:dab..name:dot"],
      isCounted: false,
    });
    expect(index.rounds).toHaveLength(2);
  });

  test("that is a prefix of few names need no page of precomputed rows", async () => {
    const index = open();
    index.lose("prefix:b");
    index.lose("prefix:ba");
    expect((await placeIn(index, "name:dab")).partitions).toEqual(["name:dab..name:dot"]);
    await expect(placeIn(open(), "name:ba")).resolves.toBeDefined();
    await expect(placeIn(index, "name:ba")).rejects.toThrow(/the page from prefix:ba? is lost/);
  });

  test("that is a prefix of few names need one index page below the roots, unless the prefix is short", async () => {
    const index = open();
    expect((await placeIn(index, "name:east")).partitions).toEqual(["name:east..name:end"]);
    expect(index.rounds).toEqual([["category:bar"], ["name:cafes"]]);
    const short = open();
    expect((await placeIn(short, "name:ab")).partitions).toEqual(["name:aa..name:ab"]);
    expect(short.rounds).toEqual([["category:bar"], ["prefix:b", "category:bar"]]);
  });

  test("that is a prefix of many names on one page are precomputed, and are found after that page", async () => {
    const names = [part("name:cafe"), part("name:cafe"), part("name:cafes", "name:cafeteria"), part("name:zoo")];
    const index = makeRelease(
      { term: [...names, ...Array(3).fill(part("prefix:cafe"))] },
      { nodesPerPage: 4, levels: 1 },
    );
    expect(await placeIn(index, "name:cafe")).toMatchObject({ range: ["prefix:cafe", "prefix:cafe"], isCounted: true });
    expect(index.rounds).toEqual([["name:cafe"], ["prefix:cafe"]]);
  });

  test("of a country without the prefix need no pages of another country that has it", async () => {
    const prefixes = Array.from({ length: 6 }, () => ({ country: "BB", first: "prefix:ba", last: "prefix:ba" }));
    const index = makeRelease({ term: [part("name:fa", "name:zz"), ...prefixes] }, { nodesPerPage: 2, levels: 1 });
    expect((await placeIn(index, "name:ba")).partitions).toEqual([]);
    expect(index.rounds).toEqual([["name:fa"]]);
  });

  test("of a category are its own", async () => {
    const index = open();
    expect(await placeIn(index, "category:zoo")).toEqual({
      range: ["category:zoo", "category:zoo"],
      partitions: ["category:zoo..category:zoo"],
      isCounted: true,
    });
    expect(index.rounds).toEqual([["category:bar"], ["category:bar"]]);
  });
});
