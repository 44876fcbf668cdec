import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { DEEP_TESTS } from "./.ci/tests.mjs";

/** Files of these folders share a process and its loaded modules: no file changes something global and leaves it so. */
const SHARING = ["{data,pipeline,web}/**/*.test.{ts,tsx}"];
/** Files among them that replace a module, a global or the clock while calls of another file may still run. */
const DEEP_MOCKING = ["web/hosts/browser/random-faults.test.ts", "web/hosts/browser/saved-areas/each-call.test.ts"];
const MOCKING = [
  "web/app/state/{category-names,prefetch,network,notes}.test.ts",
  "web/app/text/kind-text.test.ts",
  "web/app/worker/database.test.ts",
  "web/hosts/browser/faults.test.ts",
  "web/hosts/browser/{pin,saved-areas,storage}/*.test.ts",
  ...DEEP_MOCKING,
];

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  // the build makes it: tests of what the workers start need none of these files
  resolve: {
    alias: [
      { find: /^virtual:shipped-files$/, replacement: here("web/hosts/browser/testing/shipped-files.ts") },
      { find: /^virtual:shipped-files\/.*/, replacement: here("web/hosts/browser/testing/shipped-file.ts") },
    ],
  },
  test: {
    // Vitest's default leaves one core unused.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Tests make many objects that live for a moment. More memory for them means fewer collections of garbage.
    execArgv: ["--max-semi-space-size=64"],
    // A limit for tests that hang. Slow machines are ten times slower than fast ones.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [
      {
        extends: true,
        test: { name: "sharing", isolate: false, include: SHARING, exclude: [...MOCKING, ...DEEP_TESTS] },
      },
      { extends: true, test: { name: "mocking", include: MOCKING, exclude: DEEP_TESTS } },
      {
        extends: true,
        test: {
          name: "alone",
          include: ["e2e/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...DEEP_TESTS],
        },
      },
      {
        extends: true,
        test: { name: "deep-sharing", isolate: false, include: DEEP_TESTS, exclude: ["e2e/**", ...MOCKING] },
      },
      {
        extends: true,
        test: {
          name: "deep-alone",
          include: [...DEEP_TESTS.filter((glob) => glob.startsWith("e2e/")), ...DEEP_MOCKING],
          exclude: ["**/node_modules/**"],
        },
      },
    ],
  },
});
