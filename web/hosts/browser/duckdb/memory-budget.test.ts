import { expect, test } from "vitest";
import { memoryBudgetBytes } from "./memory-budget.ts";

test.each([
  [undefined, 512],
  [32, 512],
  [8, 512],
  [4, 256],
  [1, 64],
  [0.25, 16],
])("a device of %s GiB gives %i MiB", (deviceMemory, mebibytes) => {
  const device = deviceMemory === undefined ? {} : { deviceMemory };
  expect(memoryBudgetBytes(device)).toBe(mebibytes * 1024 * 1024);
});
