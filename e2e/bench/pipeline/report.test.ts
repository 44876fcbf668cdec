import { expect, test } from "vitest";
import { type Measured, reportOf, sizesTable } from "./report.ts";

const taken = (seconds: number) => ({ seconds, processorSeconds: seconds, memoryBytes: 0, diskBytes: 0 });

/** Places whose build takes a second per ten rows; `floorSeconds` is the time of a copy of their location run. */
function placesOf(rows: number, floorSeconds?: number): Measured {
  return {
    kind: "places",
    rows,
    sourceBytes: 0,
    floor: taken(1),
    build: taken(rows / 10),
    dataset: { bytes: 0, partitions: 1, manifestBytes: 0, runRows: { location: rows } },
    runFloors: floorSeconds === undefined ? [] : [{ run: "location", rows, taken: taken(floorSeconds), bytes: 0 }],
    loadBefore: 0,
  };
}

/** The ratio of the build to the copies of its runs, by rows. */
function ratiosIn(report: string): string[] {
  const table = report.slice(report.indexOf("The build compared with it."));
  return [...table.matchAll(/^\| (\d+) places \|.*\| ([\d.-]+) \| [\d.-]+ \|$/gm)].map(
    ([, rows, ratio]) => `${rows}: ${ratio}`,
  );
}

test("a size without copies of its runs uses those of the next smaller size, scaled by rows", () => {
  const measured = [placesOf(50), placesOf(100, 5), placesOf(200, 5), placesOf(400), placesOf(800, 5)];
  expect(ratiosIn(reportOf(measured, "4GB"))).toEqual(["50: -", "100: 2.0", "200: 4.0", "400: 4.0", "800: 16.0"]);
});

test("there is no ratio without a copy", () => {
  expect(ratiosIn(reportOf([placesOf(100)], "4GB"))).toEqual(["100: -"]);
});

test("a dataset is reported as verified, faulty or not verified", () => {
  const passed = { ...placesOf(100), verification: taken(7) };
  const unverified = { ...placesOf(400), verification: "not run" as const };
  const lines = reportOf([passed, placesOf(200), unverified], "4GB").split("\n");
  expect(lines).toContain("| 100 places | yes | 7 | 7 | 0.00 |");
  expect(lines).toContain("| 200 places | no | - | - | - |");
  expect(lines).toContain("| 400 places | not run | - | - | - |");
});

test("the planet is extrapolated from three sizes, with the model's error", () => {
  // Nine bytes per row, and build time proportional to rows to the power of 1.5.
  const of = (rows: number, off = 1): Measured => ({
    ...placesOf(rows),
    build: taken(rows ** 1.5 * off),
    dataset: { ...placesOf(rows).dataset, bytes: 9 * rows },
  });
  const modelled = (measured: readonly Measured[]) =>
    reportOf(measured, "4GB")
      .split("\n")
      .filter((text) => text.startsWith("| places: "));
  expect(modelled([of(100), of(10_000)])).toEqual([]);
  const hours = Math.round(81e6 ** 1.5 / 3600).toLocaleString("en");
  expect(modelled([of(100), of(10_000), of(1_000_000)])).toEqual([
    `| places: processor hours | 1.500 | 0.0 % | 0.0 % | 81 million | ${hours} |`,
    "| places: dataset, GB | 1.000 | 0.0 % | 0.0 % | 81 million | 1 |",
  ]);
  const [, , off, predicted] = modelled([of(100), of(10_000), of(1_000_000, 2)])[0]?.split(" | ") ?? [];
  expect([off, predicted]).toEqual(["26.0 %", "50.0 %"]);
});

test("the README lists the sizes with complete results", () => {
  const sample = { rows: 1234, types: 3, sourceBytes: 17_640_000, bytes: 45_714_000, files: 667 };
  const dataset = { ...placesOf(50).dataset, bytes: 374e6, files: 350 };
  expect(sizesTable(sample, [{ ...placesOf(1000), sourceBytes: 124e6, dataset }, placesOf(50)]).split("\n")).toEqual([
    "| | source | dataset | files |",
    "|---|---:|---:|---:|",
    "| the sample, 1,234 rows of 3 types | 17.6 MB | 45.7 MB | 667 |",
    "| 1,000 synthetic places | 124 MB | 374 MB | 350 |",
  ]);
});
