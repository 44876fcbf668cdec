import { expect, test } from "vitest";
import { consoleMebibytes, memoryBudgetBytes } from "./memory-budget.ts";

test.each([
  [undefined, 512, 768],
  [32, 512, 768],
  [8, 512, 768],
  [4, 128, 256],
  [2, 32, 64],
  [0.5, 32, 64],
])("a device of %s GiB gives %i MiB, the console %i", (deviceMemory, mebibytes, ofConsole) => {
  const device = deviceMemory === undefined ? {} : { deviceMemory };
  expect(memoryBudgetBytes(device)).toBe(mebibytes * 1024 * 1024);
  expect(consoleMebibytes(device)).toBe(ofConsole);
});
