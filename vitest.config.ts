import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Rooms whose tests leave nothing behind: their files share a process, and the modules that one of them has loaded. */
const SHARING = [
  "data/**/*.test.ts",
  "web/{app,map,search}/**/*.test.{ts,tsx}",
  "pipeline/{area,country,packs,partitions,plan,records,rows,term-runs}/**/*.test.ts",
];
/** Of these rooms, the files that put something in the place of a module or of a global. */
const MOCKING = [
  "web/app/state/{category-names,foresight,network,notes}.test.ts",
  "web/app/text/kind-text.test.ts",
  "web/app/worker/database.test.ts",
];

export default defineConfig({
  test: {
    // Vitest leaves a core to others; on two cores that is half of the machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // for what hangs, not for what is slow: machines differ by a factor of ten
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [
      { extends: true, test: { name: "sharing", isolate: false, include: SHARING, exclude: MOCKING } },
      { extends: true, test: { name: "mocking", include: MOCKING } },
      {
        extends: true,
        test: {
          name: "alone",
          include: ["{data,web,pipeline,e2e}/**/*.test.{ts,tsx}"],
          exclude: ["**/node_modules/**", ...SHARING],
        },
      },
    ],
  },
});
