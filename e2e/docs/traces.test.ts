import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test, vi } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Functions that run at the same time as others: their order changes. */
const AT_ONCE = new Set(["measurePoints"]);

afterEach(() => {
  vi.resetModules();
  vi.unstubAllGlobals();
});

/** Rows of the first table after the heading, as `<function> <file>`. */
async function documentedSteps(page: string, heading: string): Promise<string[]> {
  const text = await readFile(`${ROOT}docs/explanation/${page}`, "utf8");
  const [, section = ""] = text.split(`## ${heading}\n`);
  const [table = ""] = section.split("\n## ");
  return Array.from(table.matchAll(/^\| \d+ \| `(\w+)` \| `([\w./-]+)` \|/gm), ([, name, file]) => `${name} ${file}`);
}

/** Returns the functions of the files in the order in which other files first call them. The array fills during calls. */
function recordCalls(steps: readonly string[]): string[] {
  const calls: string[] = [];
  for (const file of new Set(steps.map((step) => step.split(" ")[1] ?? ""))) {
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

/** Expects the documented calls in their order. Other functions of the same files may be called too. */
function expectTrace(calls: readonly string[], steps: readonly string[]): void {
  expect(steps.length).toBeGreaterThanOrEqual(8);
  expect(steps.length).toBeLessThanOrEqual(15);
  const isInOrder = (step: string) => !AT_ONCE.has(step.split(" ")[0] ?? "");
  expect(steps.filter((step) => !calls.includes(step))).toEqual([]);
  expect(calls.filter((call) => steps.includes(call) && isInOrder(call))).toEqual(steps.filter(isInOrder));
}

async function openHandlers() {
  const { openDataset } = await import("../../web/engine/index.ts");
  const { buildSample } = await import("../../web/engine/testing/sample.ts");
  const { searchHandlers } = await import("../../web/hosts/browser/search/search-handlers.ts");
  const { folderSource } = await import("../../web/hosts/node/folder-source.ts");
  const { decodeParquet } = await import("../../web/hosts/node/parquet.ts");
  const dataset = openDataset({ source: folderSource(await buildSample()), decode: decodeParquet });
  await dataset.manifest();
  return searchHandlers(
    async () => ({ dataset, origins: new Map(), categoryWords: async () => undefined, held: async () => [] }),
    { during: (work) => work, rowsOf: async () => undefined, allowsPrefetch: () => true },
  );
}

test("a search of the page calls the documented functions in order", async () => {
  const steps = await documentedSteps("search.md", "A search");
  const calls = recordCalls(steps);
  const { search } = await openHandlers();
  calls.length = 0;
  const parameters = { lat: "40.0176", lng: "-105.2797", radius: "1000", limit: "25" };
  const answer = await search({ path: "/places", parameters }, new AbortController().signal, () => {});
  expect(answer).toMatchObject({ kind: "found" });
  expectTrace(calls, steps);
});

test("a keystroke calls the documented functions in order", async () => {
  const steps = await documentedSteps("search.md", "A keystroke");
  const calls = recordCalls(steps);
  const { suggest } = await openHandlers();
  calls.length = 0;
  const query = { text: "trident book", near: { lat: 40.0165, lon: -105.271 }, language: "en", limit: 8 };
  const { found } = await suggest(query, new AbortController().signal, () => {});
  expect(found.map(({ name }) => name)).toContain("Trident Booksellers and Cafe");
  expectTrace(calls, steps);
});

test("a row passes the documented functions from its source to the dataset", async () => {
  const steps = await documentedSteps("architecture.md", "From a source to the dataset");
  const calls = recordCalls(steps);
  const { buildDataset } = await import("../../pipeline/builder/dataset/build.ts");
  const folder = await mkdtemp(join(tmpdir(), "cairn-trace-"));
  await buildDataset({ sources: [`${ROOT}data/sample/monaco/place.parquet`], out: join(folder, "dataset") });
  await rm(folder, { recursive: true });
  expectTrace(calls, steps);
});

test("saving an area calls the documented functions in order", async () => {
  vi.stubGlobal("navigator", {});
  const steps = await documentedSteps("offline.md", "How an area is saved");
  const calls = recordCalls(steps);
  const { buildSample } = await import("../../web/engine/testing/sample.ts");
  const { areaHandlers } = await import("../../web/hosts/browser/saved-areas/area-handlers.ts");
  const { storageOn, memoryDevice } = await import("../../web/hosts/browser/saved-areas/testing/memory.ts");
  const kept = storageOn(memoryDevice(await filesOf(await buildSample())));
  const handlers = areaHandlers(async () => kept);
  calls.length = 0;
  const { signal } = new AbortController();
  const shape = { kind: "circle", lon: 7.4246, lat: 43.7384, radiusMeters: 300 } as const;
  const choice = { shape, collections: ["place"], hasNames: true, hasBaseMap: false } as const;
  const { id } = await handlers.addArea({ name: "Monaco", choice }, signal, () => {});
  expect(await handlers.saveArea(id, signal, () => {})).toEqual({ kind: "saved" });
  expectTrace(calls, steps);
});

async function filesOf(folder: string): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(path.slice(folder.length + 1), await readFile(path));
  }
  return files;
}
