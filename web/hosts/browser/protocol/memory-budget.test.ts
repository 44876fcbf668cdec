import { expect, test } from "vitest";
import { consoleMebibytes, memoryBudgetBytes, statementBounds } from "./memory-budget.ts";

test.each([
  [undefined, 512, 768, 64_000_000, 500_000],
  [32, 512, 768, 64_000_000, 500_000],
  [8, 512, 768, 64_000_000, 500_000],
  [4, 128, 256, 21_333_333, 166_667],
  [2, 32, 64, 5_333_333, 41_667],
  [0.5, 32, 64, 5_333_333, 41_667],
])(
  "a device of %s GiB gives %i MiB, the console %i, a statement %i bytes and %i rows",
  (deviceMemory, mebibytes, ofConsole, bytes, rows) => {
    const device = deviceMemory === undefined ? {} : { deviceMemory };
    expect(memoryBudgetBytes(device)).toBe(mebibytes * 1024 * 1024);
    expect(consoleMebibytes(device)).toBe(ofConsole);
    expect(statementBounds(device)).toEqual({ bytes, rows });
  },
);
