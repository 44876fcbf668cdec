import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Files travel side by side: which comes first is chance. */
const AT_ONCE = /^measurePoints /;

/** The steps of the table in `docs/explanation/search.md`: functions and the files they stand in. */
async function shownSteps(): Promise<string[]> {
  const text = await readFile(`${ROOT}docs/explanation/search.md`, "utf8");
  return Array.from(text.matchAll(/^\| \d+ \| `(\w+)` \| `([\w./-]+)` \|/gm), ([, name, file]) => `${name} ${file}`);
}

/** Functions of the files in the order in which other files first call them. */
function recordCalls(files: ReadonlySet<string>): string[] {
  const calls: string[] = [];
  for (const file of files) {
    vi.doMock(`${ROOT}${file}`, async (original) => {
      const exported = Object.entries(await original<Record<string, unknown>>());
      const isFunction = (value: unknown): value is (...args: unknown[]) => unknown =>
        typeof value === "function" && !String(value).startsWith("class");
      const recorded = exported.map(([name, value]) => {
        if (!isFunction(value)) return [name, value];
        const call = (...args: unknown[]) => {
          if (!calls.includes(`${name} ${file}`)) calls.push(`${name} ${file}`);
          return value(...args);
        };
        return [name, call];
      });
      return Object.fromEntries(recorded);
    });
  }
  return calls;
}

test("a search of the page passes the functions that the architecture shows, in that order", async () => {
  const steps = await shownSteps();
  expect(steps.length).toBeGreaterThan(10);
  expect(steps.length).toBeLessThanOrEqual(15);
  const calls = recordCalls(new Set(steps.map((step) => step.split(" ")[1] ?? "")));
  const { openDataset } = await import("../../web/engine/index.ts");
  const { buildSample } = await import("../../web/engine/testing/sample.ts");
  const { searchHandlers } = await import("../../web/hosts/browser/search/search-handlers.ts");
  const { folderSource } = await import("../../web/hosts/node/folder-source.ts");
  const { decodeParquet } = await import("../../web/hosts/node/parquet.ts");
  const source = folderSource(await buildSample());
  const dataset = openDataset({ source, decode: decodeParquet });
  await dataset.manifest();
  calls.length = 0;
  const { search } = searchHandlers(
    async () => ({ dataset, origins: new Map(), categoryWords: async () => undefined, held: async () => [] }),
    {
      during: (work) => work,
      rowsOf: async () => undefined,
      allowsPrefetch: () => true,
    },
  );
  const parameters = { lat: "40.0176", lng: "-105.2797", radius: "1000", limit: "25" };
  const answer = await search({ path: "/places", parameters }, new AbortController().signal, () => {});
  expect(answer).toMatchObject({ kind: "found" });
  expect(calls.toSorted()).toEqual(steps.toSorted());
  const inOrder = (all: readonly string[]) => all.filter((step) => !AT_ONCE.test(step));
  expect(inOrder(calls)).toEqual(inOrder(steps));
});
