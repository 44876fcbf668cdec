import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{data,web,pipeline,e2e}/**/*.test.{ts,tsx}"],
    // Vitest leaves a core to others; on two cores that is half of the machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
