import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { ownParameters } from "./parameters.ts";
import { COUNT_PATHS, SEARCH_PATHS } from "./paths.ts";
import { parseSearch, parseShown } from "./search.ts";

const MEBIBYTE = 1024 * 1024;

test("requests leave nothing in memory", () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const heapAfter = (rounds: number): number => {
    for (let i = 0; i < rounds; i++) {
      for (const path of [...SEARCH_PATHS, ...COUNT_PATHS]) parseSearch(path, { country: "MC", limit: String(i + 1) });
      parseShown({ format: "geojson" });
    }
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heapAfter(200);
  expect(heapAfter(600) - before).toBeLessThan(MEBIBYTE);
});

test("each column has parameters that no other column and no other parameter has", () => {
  const names = ["Price", "Price_min", "limit", "level", "group", "includes[]", "constructor"];
  const parameters = ownParameters({
    columns: names.map((name) => ({ name, type: name === "Price" ? "number" : "text" })),
  });
  const others = ["c.Price_min", "c.limit", "c.level", "c.group", "c.includes[]", "c.constructor"];
  expect([...parameters.keys()]).toEqual(["Price", "Price_min", "Price_max", ...others]);
});
