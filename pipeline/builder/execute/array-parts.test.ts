import { expect, test } from "vitest";
import { arrayParts } from "./slurm-executor.ts";

test("consecutive tasks become a range, and array numbers stay below common limits", () => {
  expect(arrayParts([0, 1, 2, 5, 7, 8])).toEqual([{ offset: 0, indices: "0-2,5,7-8" }]);
  expect(arrayParts([998, 999, 1000, 2500])).toEqual([
    { offset: 0, indices: "998-999" },
    { offset: 1000, indices: "0" },
    { offset: 2000, indices: "500" },
  ]);
  expect(arrayParts([])).toEqual([]);
});
