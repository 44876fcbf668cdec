import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { EngineError } from "../../engine/contract/errors.ts";
import type { Query } from "../../engine/contract/query.ts";
import type { Dataset } from "../../engine/dataset.ts";
import { checkSearch } from "../../engine/testing/check-search.ts";
import { makeDataset } from "../../engine/testing/made-up-dataset.ts";
import { hardRows, oracleRows } from "../../engine/testing/made-up-rows.ts";
import { createOracle, type Oracle } from "../../engine/testing/oracle.ts";
import { decodeParquet } from "../node/parquet.ts";
import { type FaultyCaches, failing, faultyCaches } from "./testing/faulty-caches.ts";
import { type FaultyField, type FieldOptions, faultyField } from "./testing/faulty-field.ts";
import { HOST_FAULTS, type HostFaultName } from "./testing/faulty-host.ts";
import { faultyIndexedDb } from "./testing/faulty-indexed-db.ts";

const place = (hardRows().place ?? []).slice(0, 150);
const OPTIONS = { rowsPerPartition: 15, rowsPerSegment: 40, slicesPerChunk: 2, nodesPerPage: 4, release: "first" };
const oracle = createOracle(oracleRows({ place }));
const QUERY: Query = {
  collections: ["place"],
  circle: { lon: 179.9, lat: 0, radiusMeters: 250_000 },
  offset: 0,
  limit: 10,
};
/** The expected end of a fault: the right answer, or an error that matches. */
type End = "right" | RegExp;
const HTML = /looks like a web page/;

/** Expected ends per fault, for a page or points, and for the manifest. Range faults always end in the right answer. */
const ENDS: Readonly<Partial<Record<HostFaultName, readonly [file: End, manifest: End]>>> = {
  offline: [/Failed to fetch/, /Failed to fetch/],
  slow: ["right", "right"],
  silent: [/nothing was received for/, /nothing was received for/],
  "status 403": [/status 403, expected 200/, /status 403, expected 200/],
  "status 404": [/status 404, expected 206/, /has no manifest.json/],
  "status 500": [/status 500, expected 200/, /status 500, expected 200/],
  "status 503 with Retry-After": [/status 503, expected 200/, /status 503, expected 200/],
  "a part, status 206": [/status 206, expected 200/, /status 206, expected 200/],
  "200 with a web page": [HTML, HTML],
  "200 with nothing": [/has 0 bytes from byte 0 on, expected \d+/, /cannot be read: .*JSON/],
  "cut short": [/has \d+ bytes from byte 0 on, expected \d+/, /cannot be read: .*JSON/],
  "one byte changed": [/has SHA-256 [0-9a-f]{64} from byte 0 on, expected [0-9a-f]{64}/, /cannot be read/],
  "too long": ["right", /cannot be read: .*JSON/],
  "a length header that is wrong": ["right", "right"],
  "redirected to the file": ["right", "right"],
  "redirected to a web page": [HTML, HTML],
  "redirected for ever": [/redirect count exceeded/, /redirect count exceeded/],
  "reset in the middle": [/network error/, /network error/],
};

let files: Map<string, Uint8Array>;
let later: Map<string, Uint8Array>;
let caches: FaultyCaches;
let field: FaultyField;

beforeAll(async () => {
  files = await makeDataset({ place }, OPTIONS);
  later = await makeDataset({ place: place.slice(50) }, { ...OPTIONS, release: "second" });
});
beforeEach(() => {
  caches = faultyCaches();
  vi.stubGlobal("caches", caches.storage);
  vi.stubGlobal("indexedDB", faultyIndexedDb().factory);
  vi.stubGlobal("BroadcastChannel", class {});
  field = newField();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const newField = (options: Partial<FieldOptions> = {}) => faultyField({ files, decode: decodeParquet, ...options });
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const searched = async (dataset: Dataset, against: Oracle = oracle) => {
  const { total } = await checkSearch(dataset, against, QUERY);
  expect(total).toBeGreaterThan(5);
};

/** Expects the search to end as given, and right answers from the same page and a new one after the fault. */
async function endsIn(end: End, file: RegExp, dataset = field.open()): Promise<void> {
  if (end === "right") await searched(dataset);
  else {
    const error = await dataset.search(QUERY).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(EngineError);
    expect(String(error)).toMatch(end);
    expect(String(error)).toMatch(file);
  }
  caches.onOperation = () => {};
  field.heal();
  await searched(dataset);
  await settled();
  await searched(field.open());
}

/** Every search by place reads these files. */
const POINTS = /place\/_points\/.*\.pack/;
const PAGE = /place\/_pages\/.*\.pack/;
const RECORDS = /place\/_records\/.*\.pack/;
const PARTITION = /place\/country=.*\.parquet/;
const ROWS = /place\/(_records|country=)/;
const MANIFEST = /manifest\.json/;

describe.each(Object.keys(HOST_FAULTS) as HostFaultName[])("%s", (name) => {
  const [ofFile, ofManifest] = ENDS[name] ?? ["right", "right"];
  const begin = (path: RegExp) => field.host.fail(path, HOST_FAULTS[name]);

  test("for points", () => {
    begin(POINTS);
    return endsIn(ofFile, POINTS);
  });
  test("for records, which partitions replace", () => {
    begin(RECORDS);
    return endsIn("right", RECORDS);
  });
  test("for partitions, which records replace", () => {
    begin(PARTITION);
    return endsIn("right", PARTITION);
  });
  test("for both", () => {
    begin(ROWS);
    return endsIn(ofFile === "right" ? "right" : /./, ROWS);
  });
  test("for an index page", () => {
    begin(PAGE);
    return endsIn(ofFile, PAGE);
  });
  test("for the manifest", () => {
    // the middle of the manifest may be a digit of a name; its first byte never is
    begin(MANIFEST);
    if (name === "one byte changed") field.host.fail(MANIFEST, ({ file }) => new Response(file.with(0, 0x5b)));
    return endsIn(ofManifest, MANIFEST);
  });
  test("once, then never again", async () => {
    const once = field.open();
    field.host.fail(POINTS, HOST_FAULTS[name], 1);
    await endsIn("right", POINTS, once);
  });
});

describe("the manifest", () => {
  const change = (to: (manifest: Record<string, unknown>) => unknown) => {
    const manifest = JSON.parse(new TextDecoder().decode(files.get("manifest.json"))) as Record<string, unknown>;
    field.host.fail(MANIFEST, () => Response.json(to(manifest)));
  };
  test.each([
    ["of a newer version", { format_version: 99 }, /format_version 99, this program reads 3/],
    ["of something else", { format: "tiles" }, /not valid.*format/],
    ["without its collections", { collections: undefined }, /not valid.*collections/],
    ["with a count below zero", { rejects: { rows: -1 } }, /not valid.*rejects/],
  ])("%s", async (_, part, end) => {
    change((manifest) => ({ ...manifest, ...part }));
    await endsIn(end, MANIFEST);
  });

  test("replaced during a search, old files deleted: the answer is from one release", async () => {
    const dataset = field.open();
    field.host.fail(PAGE, () => {
      field.heal();
      field.host.files = later;
      return new Response("gone", { status: 404 });
    });
    const { report } = await dataset.search(QUERY);
    expect(report.release).toBe("second");
    await searched(dataset, createOracle(oracleRows({ place: place.slice(50) })));
  });

  test("replaced during a search, old files available: the search ends with the old release", async () => {
    const dataset = field.open();
    field.host.fail(PAGE, ({ file }) => {
      field.host.files = new Map([...files, ...later]);
      return new Response(file);
    });
    await searched(dataset);
    expect((await dataset.search(QUERY)).report.release).toBe("first");
  });

  test("published before its files", async () => {
    const early = new Map([...files].filter(([path]) => !POINTS.test(path)));
    field.host.files = early;
    const dataset = field.open();
    await expect(dataset.search(QUERY)).rejects.toThrow(/status 404/);
    field.host.files = files;
    await endsIn("right", POINTS, dataset);
  });

  test("damaged in the cache, without a network", async () => {
    await searched(field.open());
    await settled();
    caches.damage();
    field.host.fail(/./, HOST_FAULTS.offline);
    await endsIn(/Failed to fetch/, MANIFEST);
  });
});

describe("the cache", () => {
  test.each([
    ["is full", failing(["put"], "QuotaExceededError")],
    ["is full, and nothing can leave", failing(["put", "delete"], "QuotaExceededError")],
    ["cannot be read", failing(["match"], "UnknownError")],
    ["cannot be opened", failing(["open"], "SecurityError")],
    ["refuses all", failing(["open", "match", "put", "delete", "keys"], "InvalidStateError")],
  ])("%s", async (_, fault) => {
    caches.onOperation = fault;
    await endsIn("right", PARTITION);
  });

  test("is deleted during a search", async () => {
    await searched(field.open());
    await settled();
    caches.onOperation = (operation) => {
      if (operation === "match" && caches.kept.size > 0) caches.kept.clear();
    };
    await endsIn("right", PARTITION);
  });

  test("contains damaged files: each is fetched again once, then cached", async () => {
    await searched(field.open());
    await settled();
    caches.damage();
    field.host.asked.length = 0;
    await searched(field.open());
    // records are requested in several ranges
    const asked = field.host.asked.filter((path) => path !== "manifest.json" && !RECORDS.test(path));
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked).size).toBe(asked.length);
    await settled();
    field.host.fail(/./, HOST_FAULTS.offline);
    await endsIn("right", PARTITION);
  });

  test.each(["offline", "one byte changed"] as const)("contains damaged files, and the host is %s", async (name) => {
    await searched(field.open());
    await settled();
    for (const [url, bytes] of caches.kept) if (POINTS.test(url)) bytes[0] = (bytes[0] ?? 0) ^ 1;
    field.host.fail(name === "offline" ? /./ : POINTS, HOST_FAULTS[name]);
    await endsIn(ENDS[name]?.[0] ?? "right", POINTS);
  });

  test("answers earlier searches without a network", async () => {
    await searched(field.open());
    await settled();
    field.host.fail(/./, HOST_FAULTS.offline);
    await endsIn("right", PARTITION);
  });
});

describe("this machine", () => {
  const outOfMemory = () => {
    throw new RangeError("Array buffer allocation failed");
  };

  test("has no memory to decode Parquet, so records are used", async () => {
    field.onDecode = outOfMemory;
    await endsIn("right", PARTITION);
  });

  test("stops in the middle", async () => {
    const dataset = field.open();
    const controller = new AbortController();
    field.host.fail(POINTS, ({ file, answer }) => {
      controller.abort();
      return answer(file);
    });
    await expect(dataset.search(QUERY, { signal: controller.signal })).rejects.toThrow(
      expect.objectContaining({ name: "AbortError" }),
    );
    await endsIn("right", PARTITION, dataset);
  });

  test.each(["1970-01-01", "2199-12-31"])("has its clock at %s", async (date) => {
    const { dataset, kept } = field.openTab({ cacheBytes: 0 });
    const evict = () => kept.seen.evict(20_000);
    await searched(dataset);
    vi.useFakeTimers({ toFake: ["Date"], now: new Date(date) });
    await searched(dataset);
    await evict();
    await searched(dataset);
    vi.useRealTimers();
    await evict();
    expect(await kept.seen.seenBytes()).toBeLessThan(20_000);
    await endsIn("right", PARTITION);
  });
});
