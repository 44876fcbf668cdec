import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { ByteRange, ByteSource } from "../../engine/contract/ports.ts";
import { readSlice } from "../../engine/index-tree/files.ts";
import { type HttpSourceOptions, httpSource } from "./http-source.ts";
import { createPackMemory } from "./pack-memory.ts";
import { answerFile, type FileAnswer } from "./testing/range-answer-of.ts";
import { type AskedFile, RANGE_FAULTS, type RangeFaultName, STRANGE_RANGES } from "./testing/range-faults.ts";

const PACK_BYTES = 200_000;
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const pack = () => {
  const bytes = new Uint8Array(randomBytes(PACK_BYTES));
  return { bytes, path: `place/_term/${hashOf(bytes).slice(0, 16)}.pack` };
};
const one = pack();
const other = pack();
const files = new Map([one, other].map(({ path, bytes }) => [path, bytes]));
/** Too far apart to be joined. */
const RANGES = [0, 40_000, 80_000, 120_000, 195_000].map((start) => ({ start, end: start + 5000 }));

interface Asked {
  readonly path: string;
  readonly range: string | undefined;
}

const asked: Asked[] = [];
let sentBytes = 0;
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  asked.length = 0;
  sentBytes = 0;
});

/** A host of the two packs. It answers with the result of the fault, or not at all if that is undefined. */
async function serve(fault: (asked: AskedFile & Asked) => FileAnswer | undefined): Promise<string> {
  server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    const { range } = request.headers;
    asked.push({ path, range });
    const file = files.get(path);
    const answer = file ? fault({ file, path, range }) : { status: 404, headers: {}, body: new Uint8Array() };
    if (!answer) return;
    const headers = Object.entries(answer.headers).filter(([, value]) => value !== "");
    response.writeHead(answer.status, Object.fromEntries(headers));
    response.end(answer.body);
    sentBytes += answer.body.length;
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const sourceOf = (url: string, options: HttpSourceOptions = {}) =>
  httpSource(url, { retryDelaysMs: [1, 1], stallMs: 20_000, ...options });
const slice = (source: ByteSource, { path, bytes }: typeof one, { start, end }: ByteRange) =>
  readSlice(source, { path, offset: start, bytes: end - start, sha256: hashOf(bytes.subarray(start, end)) });
const expectRight = async (source: ByteSource, of: typeof one, ranges: readonly ByteRange[] = RANGES) => {
  const read = await Promise.all(ranges.map((range) => slice(source, of, range)));
  for (const [index, range] of ranges.entries())
    expect(hashOf(read[index] ?? new Uint8Array())).toBe(hashOf(of.bytes.subarray(range.start, range.end)));
};
const wholes = () => asked.filter(({ range }) => range === undefined);

test("a host with range support gets only range requests, each once", async () => {
  const source = sourceOf(await serve((file) => answerFile(file.file, file)));
  await expectRight(source, one);
  expect(asked.map(({ range }) => range)).toEqual(RANGES.map(({ start, end }) => `bytes=${start}-${end - 1}`));
  expect(sentBytes).toBe(5 * 5000);
});

describe.each(Object.keys(RANGE_FAULTS) as RangeFaultName[])("a host that %s", (name) => {
  test("gives right answers; the pack is fetched whole once, and only whole from then on", async () => {
    const source = sourceOf(await serve(RANGE_FAULTS[name]));
    await expectRight(source, one, RANGES.slice(1, 2));
    const first = asked.length;
    const isSharedBody = wholes().length === 0;
    expect(wholes().length).toBeLessThanOrEqual(1);
    await expectRight(source, one);
    expect(asked).toHaveLength(first);
    await expectRight(source, other);
    expect(asked.slice(first)).toEqual([{ path: other.path, range: undefined }]);
    // a body with the whole file was the download
    expect(isSharedBody).toBe(/no ranges|200|whole file/.test(name));
  });

  test("gets one request for a pack from many callers that want ranges of it", async () => {
    const packs = createPackMemory();
    const source = sourceOf(await serve(RANGE_FAULTS[name]), { packs });
    await expectRight(source, one);
    const ranges = asked.filter(({ range }) => range !== undefined);
    const isRetried = name === "fails on ranges" ? 3 : 1;
    // each caller asks, and may ask again for damaged bytes
    expect(ranges.length).toBeLessThanOrEqual(RANGES.length * (isRetried + 1));
    expect(wholes().length).toBeLessThanOrEqual(2);
    expect(packs.answers).toBe("whole");
  });
});

test.each(Object.entries(STRANGE_RANGES))("a host that %s is accepted", async (_, strange) => {
  const source = sourceOf(await serve(strange));
  await expectRight(source, one);
  expect(wholes()).toEqual([]);
  expect(asked).toHaveLength(RANGES.length);
});

test("callers wait for the rest of a body in transit, without requesting ranges", async () => {
  let finish = () => {};
  const gate = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const fetch: typeof globalThis.fetch = async (_, init) => {
    asked.push({ path: "", range: new Headers(init?.headers).get("Range") ?? undefined });
    const halves = [one.bytes.slice(0, 100_000), one.bytes.slice(100_000)];
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const half = halves.shift();
        if (!half) return controller.close();
        if (halves.length === 0) await gate;
        controller.enqueue(half);
      },
    });
    return new Response(body);
  };
  const source = sourceOf("https://host.example/", { fetch });
  const first = slice(source, one, { start: 0, end: 10 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  const later = slice(source, one, { start: 150_000, end: 150_010 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  finish();
  expect(await first).toEqual(one.bytes.slice(0, 10));
  expect(await later).toEqual(one.bytes.slice(150_000, 150_010));
  expect(asked).toEqual([{ path: "", range: "bytes=0-9" }]);
});

test("one of several callers waiting for a pack can abort alone, even the first", async () => {
  const url = await serve(RANGE_FAULTS["supports no ranges"]);
  for (const leaves of [0, 1, 2]) {
    const source = sourceOf(url);
    const controller = new AbortController();
    const reads = RANGES.slice(0, 3).map((range, index) =>
      source.read(one.path, { range, ...(index === leaves ? { signal: controller.signal } : {}) }),
    );
    const ends = Promise.allSettled(reads);
    setTimeout(() => controller.abort(), 2);
    const settled = await ends;
    for (const [index, end] of settled.entries()) {
      if (index !== leaves) expect(end).toMatchObject({ status: "fulfilled" });
      else if (end.status === "rejected") expect(end.reason).toMatchObject({ name: "AbortError" });
    }
  }
});

test("a slow range is awaited; for a stalled one the pack is fetched whole, and the next pack in ranges", async () => {
  const stalls = RANGES[1] ?? RANGES[0];
  const url = await serve(({ file, range, path }) =>
    path === one.path && range === `bytes=${stalls?.start}-${(stalls?.end ?? 0) - 1}`
      ? undefined
      : answerFile(file, { range }),
  );
  const source = sourceOf(url, { stallMs: 1500 });
  await expectRight(source, one);
  expect(wholes()).toEqual([{ path: one.path, range: undefined }]);
  await expectRight(source, other);
  expect(wholes()).toHaveLength(1);
});

test("a host that never answers is an outage: as many tries as for any file, and one for the whole file", async () => {
  const fetch = async () => {
    asked.push({ path: "", range: undefined });
    throw new TypeError("Failed to fetch");
  };
  const read = sourceOf("https://host.example/", { fetch }).read(one.path, { range: { start: 0, end: 5 } });
  await expect(read).rejects.toMatchObject({ name: "FetchError", isUnanswered: true });
  expect(asked).toHaveLength(4);
  asked.length = 0;
  const hasty = sourceOf("https://host.example/", { fetch, retryDelaysMs: [] });
  await expect(hasty.read(one.path, { range: { start: 0, end: 5 } })).rejects.toMatchObject({ isUnanswered: true });
  expect(asked).toHaveLength(1);
});

test("a failure is not remembered: the next caller succeeds", async () => {
  let isUp = false;
  const url = await serve(({ file }) =>
    isUp ? answerFile(file) : { status: 503, headers: {}, body: new Uint8Array() },
  );
  const source = sourceOf(url);
  const ends = await Promise.allSettled(RANGES.map((range) => slice(source, one, range)));
  expect(ends.map(({ status }) => status)).toEqual(RANGES.map(() => "rejected"));
  isUp = true;
  await expectRight(source, one);
});

test("a missing file is reported at once, without a request for the whole", async () => {
  const source = sourceOf(await serve((file) => answerFile(file.file, file)));
  await expect(source.read("place/_term/0000000000000000.pack", { range: { start: 0, end: 9 } })).rejects.toMatchObject(
    {
      status: 404,
    },
  );
  expect(asked).toHaveLength(1);
});

test("a web page instead of a pack is reported, and later requests are ranges again", async () => {
  let isHtml = true;
  const html = new TextEncoder().encode("<!doctype html><title>Log in</title>");
  const url = await serve((file) => (isHtml ? { status: 200, headers: {}, body: html } : answerFile(file.file, file)));
  const packs = createPackMemory();
  const source = sourceOf(url, { packs });
  await expect(slice(source, one, { start: 100_000, end: 101_000 })).rejects.toThrow(
    /has 36 bytes from byte 100000 on, expected 1000; it looks like a web page/,
  );
  isHtml = false;
  await expectRight(source, one);
  expect(packs.answers).toBe("ranges");
});

test("a pack damaged on the host is fetched whole once, and is reported", async () => {
  const damaged = one.bytes.with(100, 0).with(101, 0).with(102, 0);
  const url = await serve((file) => answerFile(damaged, file));
  const source = sourceOf(url);
  await expect(slice(source, one, { start: 0, end: 1000 })).rejects.toThrow(/has SHA-256 [0-9a-f]{64} from byte 0 on/);
  expect(asked.map(({ range }) => range)).toEqual(["bytes=0-999", "bytes=0-999", undefined]);
  await expectRight(source, one, [{ start: 1000, end: 2000 }]);
  expect(wholes()).toHaveLength(1);
});

test("whole packs are stored up to a size; each that matches its hash is reported", async () => {
  const wholePaths: string[] = [];
  const packs = createPackMemory({ maxBytes: PACK_BYTES, onWhole: (path) => wholePaths.push(path) });
  const source = sourceOf(await serve(RANGE_FAULTS["supports no ranges"]), { packs });
  await expectRight(source, one);
  await expectRight(source, other);
  await expectRight(source, other);
  expect(asked.filter(({ path }) => path === other.path)).toHaveLength(1);
  await expectRight(source, one);
  expect(wholePaths).toEqual([one.path, other.path, one.path]);
});

function endless(headers: Readonly<Record<string, string>> = {}) {
  const counted = { bytes: 0, requests: 0 };
  const chunk = new Uint8Array(4 * 1024 * 1024);
  const fetch = async () => {
    counted.requests++;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        counted.bytes += chunk.length;
        controller.enqueue(chunk);
      },
    });
    return new Response(body, { headers });
  };
  return { counted, fetch };
}

const MEBIBYTE = 2 ** 20;

test("an endless body is an error, and is read only up to the maximum length of a pack", async () => {
  const { counted, fetch } = endless();
  const source = sourceOf("https://host.example/", { fetch });
  await expect(source.read(one.path, { range: { start: 5, end: 9 } })).rejects.toThrow(
    `${one.path} of https://host.example/ has more than ${32 * MEBIBYTE} bytes, the maximum`,
  );
  // for the range, and for the whole if that was given up before
  expect(counted.requests).toBeLessThanOrEqual(2);
  expect(counted.bytes).toBeLessThan(counted.requests * 45 * MEBIBYTE);
  // a slice of that size has its own pack
  const large = { range: { start: 0, end: 60 * MEBIBYTE } };
  await expect(source.read(other.path, large)).rejects.toThrow(`has more than ${60 * MEBIBYTE} bytes`);
});

test("a pack with a length header above the maximum is not read", async () => {
  const { counted, fetch } = endless({ "content-length": String(2 ** 40) });
  const read = sourceOf("https://host.example/", { fetch }).read(one.path, { range: { start: 5, end: 9 } });
  await expect(read).rejects.toThrow(`has more than ${128 * MEBIBYTE} bytes, the maximum`);
  expect(counted.bytes).toBeLessThan(10 * MEBIBYTE);
});

test("the browser cache is bypassed for ranges if configured, and for damaged files", async () => {
  const modes: (string | undefined)[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    modes.push(init?.cache);
    const { status, headers, body } = answerFile(one.bytes, {
      range: new Headers(init?.headers).get("Range") ?? undefined,
    });
    return new Response(body, { status, headers });
  };
  const range = { start: 0, end: 9 };
  for (const rangeCache of ["default", "no-store"] as const) {
    const source = sourceOf("https://host.example/", { fetch, rangeCache });
    await source.read(one.path, { range });
    await source.read(one.path, { range, fresh: true });
  }
  expect(modes).toEqual(["default", "reload", "no-store", "no-store"]);
});

test("a browser hides Content-Range of another origin: the length is checked, then the content", async () => {
  const fetch = async (_: unknown, init?: RequestInit) => {
    const range = new Headers(init?.headers).get("Range") ?? undefined;
    asked.push({ path: "", range });
    const { status, body } = answerFile(one.bytes, { range });
    return Object.defineProperty(new Response(body, { status }), "type", { value: "cors" });
  };
  await expectRight(sourceOf("https://host.example/", { fetch }), one);
  expect(wholes()).toEqual([]);
});
