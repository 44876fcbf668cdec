import { expect, test } from "vitest";
import { randomFrom } from "../../../engine/testing/random.ts";
import { buildSample } from "../../../engine/testing/sample.ts";
import { parseSearch, pathNamed, runSearch, SEARCH_PATHS } from "../../../search/index.ts";
import { openNodeDataset } from "../../node/open.ts";
import { barsOf, histogramOf } from "./histogram.ts";

const sorted = (values: readonly number[]) => Float64Array.from(values).sort();

test("bars have round and equal widths, and contain every value once", () => {
  const random = randomFrom(51);
  for (let round = 0; round < 300; round++) {
    const [base, spread] = [random.between(-50, 50), random.magnitude(0.001, 100_000)];
    const values = sorted(Array.from({ length: 1 + random.below(200) }, () => base + random.between(0, spread)));
    const bars = barsOf(values);
    expect(bars.length).toBeGreaterThan(0);
    expect(bars.length).toBeLessThanOrEqual(13);
    expect(bars.reduce((sum, { rows }) => sum + rows, 0)).toBe(values.length);
    for (const { from, rows, most = Number.POSITIVE_INFINITY } of bars) {
      if (rows > 0) expect(values.filter((value) => value >= from && value <= most).length).toBe(rows);
    }
  }
});

test("one value is one bar, no value is no bar, and a tower does not flatten the others", () => {
  expect(barsOf(sorted([7, 7]))).toEqual([{ from: 7, to: undefined, rows: 2, most: undefined }]);
  expect(barsOf(sorted([]))).toEqual([]);
  const bars = barsOf(sorted([...Array.from({ length: 99 }, (_, index) => index / 10), 800]));
  // a row has exactly the upper bound
  expect(bars[0]).toEqual({ from: 0, to: 1, rows: 10, most: 0.9 });
  expect(bars.map(({ from }) => from)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(bars.at(-1)).toEqual({ from: 9, to: undefined, rows: 10, most: undefined });
});

test("the number of a bar is what the filters with its bounds find", async () => {
  const dataset = openNodeDataset(await buildSample());
  const path = pathNamed(SEARCH_PATHS, "/buildings");
  const where = { lat: "40.0165", lng: "-105.271", radius: "900" };
  const bars = await histogramOf(dataset, parseSearch(path, where), { column: "height" });
  expect(bars?.length).toBeGreaterThan(3);
  for (const { from, rows, most } of bars ?? []) {
    if (rows === 0) continue;
    const asked = { ...where, min_height: String(from), ...(most === undefined ? {} : { max_height: String(most) }) };
    expect((await runSearch(dataset, parseSearch(path, asked))).total).toBe(rows);
  }
  const { total } = await runSearch(dataset, parseSearch(path, where));
  const limited = (maxRows: number) => histogramOf(dataset, parseSearch(path, where), { column: "height", maxRows });
  expect(await limited(total - 1)).toBeUndefined();
  expect(await limited(total)).toEqual(bars);
});
