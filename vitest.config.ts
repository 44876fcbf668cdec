import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{data,web,pipeline,e2e}/**/*.test.{ts,tsx}"],
    // Vitest leaves a core to others; on two cores that is half of the machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // for what hangs, not for what is slow: machines differ by a factor of ten
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
