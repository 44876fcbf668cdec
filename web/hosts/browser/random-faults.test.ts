import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { DecodeError, FetchError, ManifestError } from "../../engine/contract/errors.ts";
import type { Query } from "../../engine/contract/query.ts";
import type { Dataset } from "../../engine/dataset.ts";
import { checkSearch } from "../../engine/testing/check-search.ts";
import { makeDataset } from "../../engine/testing/made-up-dataset.ts";
import { hardRows, oracleRows } from "../../engine/testing/made-up-rows.ts";
import { createOracle, type Oracle } from "../../engine/testing/oracle.ts";
import { createRandomQueries } from "../../engine/testing/queries.ts";
import { randomFrom } from "../../engine/testing/random.ts";
import { decodeParquet } from "../node/parquet.ts";
import type { AreaChoice } from "./protocol/area-calls.ts";
import { type AreaWork, areasOf, expectWhole, save, workOnArea } from "./testing/area-work.ts";
import { type CacheOperation, failing, faultyCaches } from "./testing/faulty-caches.ts";
import { faultyField, type Tab } from "./testing/faulty-field.ts";
import { HOST_FAULTS, type HostFaultName } from "./testing/faulty-host.ts";
import { faultyIndexedDb, type StoreOperation } from "./testing/faulty-indexed-db.ts";
import { sharedLocks } from "./testing/shared-locks.ts";

const SEQUENCES = 200;
const SEED = 20261121;
const all = (hardRows().place ?? []).slice(0, 120);
/** Areas, one within the other. */
const CIRCLE = { lon: 179.9, lat: 0, radiusMeters: 60_000 };
const CHOICE: AreaChoice = {
  shape: { kind: "circle", ...CIRCLE },
  collections: ["place"],
  hasNames: false,
  hasBaseMap: false,
};
const CHOICES = [CHOICE, { ...CHOICE, shape: { kind: "circle", ...CIRCLE, radiusMeters: 250_000 } }] as const;
/** Two releases that replace each other. */
const RELEASES = { first: all, second: all.slice(30) } as const;
type ReleaseName = keyof typeof RELEASES;
const OPTIONS = { rowsPerPartition: 20, rowsPerSegment: 40, slicesPerChunk: 2, nodesPerPage: 4 };
const FILES = {
  any: /./,
  partition: /country=/,
  records: /_records/,
  ids: /_ids/,
  points: /_points/,
  page: /_pages/,
  manifest: /manifest/,
} as const;

type Step =
  | { readonly kind: "host"; readonly fault: HostFaultName; readonly file: keyof typeof FILES; readonly times: number }
  | { readonly kind: "cache"; readonly operations: CacheOperation[] }
  | { readonly kind: "store"; readonly operations: StoreOperation[] }
  | { readonly kind: "area"; readonly work: AreaWork; readonly choice: number; readonly isOfOther: boolean }
  | { readonly kind: "release"; readonly name: ReleaseName }
  | {
      readonly kind: "damage" | "deletion" | "decoder" | "abort" | "reload" | "other" | "refresh" | "recovery";
    };

const name = fc.constantFrom(...(Object.keys(HOST_FAULTS) as HostFaultName[]));
const file = fc.constantFrom(...(Object.keys(FILES) as (keyof typeof FILES)[]));
const operations = fc.subarray(["open", "match", "put", "delete", "keys"] as const, { minLength: 1 });
const storeOperations = fc.subarray(["open", "transaction", "get", "put", "delete", "commit"] as const, {
  minLength: 1,
});
const work = fc.constantFrom<AreaWork>("save", "save", "go on", "stop", "cancel", "remove", "carry", "tidy", "evict");
const plain = fc.constantFrom(
  ...(["damage", "deletion", "decoder", "abort", "reload", "other", "refresh", "recovery"] as const),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant("host"), fault: name, file, times: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("cache"), operations }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("store"), operations: storeOperations }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("area"), work, choice: fc.nat(1), isOfOther: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("release"), name: fc.constantFrom("first", "second") }) },
  { weight: 5, arbitrary: fc.record({ kind: plain }) },
) as fc.Arbitrary<Step>;
const sequence = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
  queries: fc.integer(),
  hasMemory: fc.boolean(),
});

type Sequence = typeof sequence extends fc.Arbitrary<infer T> ? T : never;

const files = new Map<ReleaseName, ReadonlyMap<string, Uint8Array>>();
const oracles = new Map<string, Oracle>();
const seen = { right: 0, named: 0, saved: 0, done: 0, refused: 0 };

beforeAll(async () => {
  for (const [release, place] of Object.entries(RELEASES)) {
    files.set(release as ReleaseName, await makeDataset({ place }, { ...OPTIONS, release }));
    oracles.set(release, createOracle(oracleRows({ place })));
  }
});
afterAll(() => vi.unstubAllGlobals());

/** Compares the answer with a plain loop over the rows of its release. */
async function checked(dataset: Dataset, query: Query): Promise<void> {
  let release = "";
  const oracle = (): Oracle => {
    const found = oracles.get(release);
    if (!found) throw new Error(`answered from release ${release}`);
    return found;
  };
  const reporting: Dataset = {
    ...dataset,
    async search(asked, options) {
      const result = await dataset.search(asked, options);
      release = result.report.release;
      return result;
    },
  };
  const ofAnswer: Oracle = {
    get rows() {
      return oracle().rows;
    },
    ids: (asked) => oracle().ids(asked),
    near: (asked, position, meters) => oracle().near(asked, position, meters),
    count: (asked, position, meters) => oracle().count(asked, position, meters),
  };
  await checkSearch(reporting, ofAnswer, query);
}

async function stopInTheMiddle(dataset: Dataset, query: Query): Promise<void> {
  const controller = new AbortController();
  const stopped = dataset.search(query, { signal: controller.signal });
  setTimeout(() => controller.abort(), 1);
  await stopped.catch((error) => error.name === "AbortError" || expectNamed(error));
}

function expectNamed(error: unknown): void {
  if (!isNamed(error)) throw error;
}

/** Whether the error names the file and the reason. */
function isNamed(error: unknown): boolean {
  if (error instanceof ManifestError) return /manifest\.json|_pages/.test(error.message);
  return (error instanceof FetchError || error instanceof DecodeError) && error.message.includes(error.path);
}

test(`${SEQUENCES} random sequences of faults end in right answers or named errors, and leave nothing behind`, async () => {
  const run = async ({ steps, queries, hasMemory }: Sequence) => {
    const caches = faultyCaches();
    const store = faultyIndexedDb();
    vi.stubGlobal("caches", caches.storage);
    vi.stubGlobal("indexedDB", store.factory);
    // the cache may use a fifth: about forty slices
    vi.stubGlobal("navigator", {
      locks: sharedLocks(),
      storage: { estimate: async () => ({ usage: 0, quota: 5 * 40 * 32_768 }) },
    });
    vi.stubGlobal(
      "BroadcastChannel",
      class {
        postMessage() {}
      },
    );
    const field = faultyField({
      files: files.get("first") ?? new Map(),
      decode: decodeParquet,
    });
    const next = createRandomQueries(randomFrom(queries), "place", oracles.get("first")?.rows ?? []);
    const open = () => field.openTab(hasMemory ? {} : { cacheBytes: 0 });
    let tabs: readonly [Tab, Tab] = [open(), open()];
    let isDamaged = false;
    const heal = () => {
      field.heal();
      caches.onOperation = () => {};
      store.onOperation = () => {};
    };

    async function take(step: Step): Promise<void> {
      switch (step.kind) {
        case "host":
          return field.host.fail(FILES[step.file], HOST_FAULTS[step.fault], step.times);
        case "cache":
          caches.onOperation = failing(step.operations, "UnknownError");
          return;
        case "store":
          store.onOperation = failing(step.operations, "UnknownError");
          return;
        case "area": {
          const ends = workOnArea(tabs[step.isOfOther ? 1 : 0], step.work, CHOICES[step.choice] ?? CHOICE);
          await ends.then(
            (kind) => seen[kind === "saved" ? "saved" : "done"]++,
            (error) => {
              if (!(error instanceof Error) || error.message === "") throw error;
              seen.refused++;
            },
          );
          return;
        }
        case "release":
          field.host.files = files.get(step.name) ?? new Map();
          return;
        case "damage":
          isDamaged = true;
          return caches.damage();
        case "deletion":
          return caches.kept.clear();
        case "decoder":
          field.onDecode = () => {
            throw new WebAssembly.RuntimeError("unreachable");
          };
          return;
        case "reload":
          tabs = [open(), tabs[1]];
          return;
        case "other":
          tabs = [tabs[1], tabs[0]];
          return;
        case "refresh":
          await tabs[0].dataset.refresh().catch(expectNamed);
          return;
        case "abort":
          return stopInTheMiddle(tabs[0].dataset, next());
        case "recovery":
          return heal();
      }
    }

    for (const step of steps) {
      await take(step);
      const query = next();
      for (const tab of tabs) await expectWhole(tab, caches, store);
      await checked(tabs[0].dataset, query).then(
        () => seen.right++,
        (error) => {
          expectNamed(error);
          seen.named++;
        },
      );
    }
    heal();
    for (const { dataset } of [...tabs, open()]) await checked(dataset, next());
    // works again without a reload, then without a network
    const [tab] = tabs;
    for (const { id, isUnfinished } of await areasOf(tab)) if (isUnfinished) expect(await save(tab, id)).toBe("saved");
    await expectWhole(tab, caches, store);
    if (isDamaged) return;
    field.host.fail(/./, HOST_FAULTS.offline);
    for (const { selection } of await areasOf(tab)) {
      const circle = selection.shape.kind === "circle" ? selection.shape : CIRCLE;
      await checked(open().dataset, { collections: ["place"], circle, offset: 0, limit: 20 });
    }
  };
  await fc.assert(fc.asyncProperty(sequence, run), { seed: SEED, numRuns: SEQUENCES, endOnFailure: true });
  // all faults occurred
  expect(seen.right).toBeGreaterThan(SEQUENCES / 4);
  // most faults are made good by another copy of the rows
  expect(seen.named).toBeGreaterThan(SEQUENCES / 8);
  expect(Math.min(seen.saved, seen.done, seen.refused)).toBeGreaterThan(SEQUENCES / 10);
});
