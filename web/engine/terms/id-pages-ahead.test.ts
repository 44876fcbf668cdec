import { expect, test } from "vitest";
import { makeRelease } from "../testing/made-up-release.ts";
import { readIdPagesAhead, type WantedRows } from "./id-pages-ahead.ts";

/** Ten pages of ten partitions of a hundred rows: from the fourth partition on the country's, up to the second of the last page. */
const ROWS = 100;
const ids = Array.from({ length: 100 }, (_, i) => ({
  country: i < 3 ? "AA" : i < 92 ? "BB" : "CC",
  first: String(i * ROWS).padStart(5, "0"),
  last: String(i * ROWS + ROWS - 1).padStart(5, "0"),
  rows: ROWS,
}));

async function pagesRead(wanted: WantedRows, country = "BB", lost: readonly string[] = []): Promise<readonly string[]> {
  const { session, rounds, lose } = makeRelease({ id: ids }, { nodesPerPage: 10, levels: 1 });
  for (const first of lost) lose(first);
  await readIdPagesAhead({ session, collection: "place", run: "term", country }, wanted);
  expect(rounds.length).toBeLessThanOrEqual(1);
  return rounds.flat();
}

const wanted = { offset: 0, limit: 25, total: 2000 };

test("the first rows of a term that many have need the first page of the country", async () => {
  expect(await pagesRead(wanted)).toEqual(["00000"]);
});

test("a later page of results needs a later page of the index", async () => {
  expect(await pagesRead({ ...wanted, offset: 1000, limit: 5 })).toEqual(["04000", "05000"]);
  expect(await pagesRead({ ...wanted, offset: 1990 })).toEqual(["08000", "09000"]);
});

test.each([
  ["rows beyond the last", { ...wanted, offset: 2000 }, "BB"],
  ["rows anywhere in the country", { ...wanted, total: 25 }, "BB"],
  ["a country without rows", wanted, "QQ"],
  ["all countries", wanted, "XX"],
])("nothing is read for %s", async (_, rows, country) => {
  expect(await pagesRead(rows, country)).toEqual([]);
});

test("a page that cannot be had is nobody's fault yet", async () => {
  expect(await pagesRead(wanted, "BB", ["00000"])).toEqual(["00000"]);
});
