import { describe, expect, test } from "vitest";
import { type MadeUpPartition, type MadeUpRelease, makeRelease } from "../testing/made-up-release.ts";
import { type Clause, orderConditions } from "./conditions.ts";
import type { PostingRange } from "./term-index.ts";

const part = (first: string, last = first, rows = 1000): MadeUpPartition => ({ country: "AA", first, last, rows });
/** Four nodes per page, on one level. */
const TERMS: readonly MadeUpPartition[] = [
  ...[part("category:bar"), part("category:bar"), part("category:bar"), part("category:zoo", "category:zoom")],
  ...[part("name:barn"), part("name:barn"), part("name:barns"), part("name:cafe", "name:cask")],
  ...[part("name:hotel"), part("name:hotel"), part("name:hotels"), part("name:lido", "name:lima", 2000)],
  ...[part("prefix:barn", "prefix:barn", 2000), part("prefix:barn", "prefix:barn", 2000)],
  part("prefix:hotel", "prefix:hotel", 2000),
];

function open(): MadeUpRelease {
  return makeRelease({ term: TERMS }, { nodesPerPage: 4, levels: 1 });
}

function order({ session }: MadeUpRelease, ...clauses: Clause[]) {
  return orderConditions({ session, collection: "place", run: "term", country: "AA" }, clauses);
}

const termsOf = (places: readonly PostingRange[]): string[] => places.map(({ first }) => first);

describe("of several conditions", () => {
  test("one that fits into a file is read first, and the others are looked up on demand", async () => {
    const index = open();
    const { rarest, isOnly, others } = await order(index, ["name:hotel"], ["name:cask"]);
    expect({ rarest: termsOf(rarest), isOnly }).toEqual({ rarest: ["name:cask"], isOnly: false });
    expect(index.rounds).toEqual([["name:hotel", "name:barn"]]);
    expect((await others()).map(termsOf)).toEqual([["prefix:hotel"]]);
    expect(index.rounds).toEqual([["name:hotel", "name:barn"], ["prefix:barn"]]);
  });

  test("each with many rows, those with the fewest come first", async () => {
    const { rarest, others } = await order(open(), ["name:barn"], ["name:hotel"], ["category:bar"]);
    const places = [rarest, ...(await others())];
    expect(places.map(termsOf)).toEqual([["prefix:hotel"], ["category:bar"], ["prefix:barn"]]);
  });

  test("with alternatives, the rarest is one whose terms are all rare", async () => {
    const any = await order(open(), ["category:zoo", "category:bar"], ["name:cafe", "name:cask"]);
    expect(termsOf(any.rarest)).toEqual(["name:cafe", "name:cask"]);
    expect((await any.others()).map(termsOf)).toEqual([["category:zoo", "category:bar"]]);
  });

  test("one without rows is the rarest", async () => {
    const index = open();
    const { rarest } = await order(index, ["name:hotel"], ["name:zebra"]);
    expect(rarest).toMatchObject([{ partitions: [] }]);
    expect(index.rounds).toEqual([["name:hotel"]]);
  });
});

test("a single condition has no others, and uses its precomputed rows", async () => {
  const { rarest, isOnly, others } = await order(open(), ["name:hotel"]);
  expect({ rarest: termsOf(rarest), isOnly, others: await others() }).toEqual({
    rarest: ["prefix:hotel"],
    isOnly: true,
    others: [],
  });
});
