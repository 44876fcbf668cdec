import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{data,web,pipeline,e2e}/**/*.test.{ts,tsx}"],
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
