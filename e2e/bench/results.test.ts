import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { benchmarksPage } from "./page.ts";
import { BENCHMARKS, parseReport, readResults } from "./results.ts";

test("the page of benchmarks is made from the last results: otherwise run npm run docs", async () => {
  expect(await readFile(BENCHMARKS, "utf8")).toBe(benchmarksPage(await readResults()));
});

test("each result is the last one of a script of package.json, and has its section", async () => {
  const { scripts } = JSON.parse(await readFile("package.json", "utf8")) as { scripts: Record<string, string> };
  const page = await readFile(BENCHMARKS, "utf8");
  const results = [...(await readResults()).values()];
  expect(results.length).toBeGreaterThan(10);
  for (const { command, tables } of results) {
    expect(scripts).toHaveProperty(command.split(" ")[2] ?? "");
    expect(page).toContain(`\`${command}\``);
    for (const { columns, rows } of tables) for (const row of rows) expect(row).toHaveLength(columns.length);
  }
});

test("a report becomes tables with their headings, and the lines around them", () => {
  const report =
    "Measured twice.\n\n### Places\n\n| question | ms |\n|---|---:|\n| near | 5 |\n| far |  |\n\n| a |\n|---|\n| b \\| c |";
  expect(parseReport("npm run bench", report)).toEqual({
    command: "npm run bench",
    text: ["Measured twice.", "### Places"],
    tables: [
      {
        heading: "Places",
        columns: ["question", "ms"],
        rows: [
          ["near", "5"],
          ["far", ""],
        ],
      },
      { heading: "Places", columns: ["a"], rows: [["b \\| c"]] },
    ],
  });
});

test("a missing result is an error that names the file", () => {
  expect(() => benchmarksPage(new Map())).toThrow("expected e2e/bench/results/search-1000000.json");
});
