import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openToAllOrigins } from "../../api/index.ts";
import { answerFile } from "../http/testing/range-answer-of.ts";
import { compressAnswers } from "./compression.ts";
import { datasetFiles } from "./files.ts";

const PACK = new Uint8Array(randomBytes(5000));
const NAME = createHash("sha256").update(PACK).digest("hex").slice(0, 16);
const PATHS = [
  `/dataset/place/_records/${NAME}.pack`,
  `/dataset/place/country=MC/geohash=spv/${NAME}.parquet`,
] as const;
const IMMUTABLE = "public, max-age=31536000, immutable, no-transform";

let folder: string;
let app: Hono;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-ranges-"));
  for (const path of PATHS) {
    const file = join(folder, path.slice("/dataset".length));
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, PACK);
  }
  app = new Hono();
  app.use("*", openToAllOrigins());
  app.use("*", compressAnswers());
  app.route("/dataset", datasetFiles(folder));
});
afterAll(() => rm(folder, { recursive: true }));

const ask = (headers: Record<string, string> = {}, path: string = PATHS[0], method = "GET") =>
  app.request(path, {
    method,
    headers: { "Accept-Encoding": "br, gzip", Origin: "https://elsewhere.example", ...headers },
  });
const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

test.each(PATHS)("%s is never compressed, is immutable, and announces ranges", async (path) => {
  for (const [headers, status] of [
    [{}, 200],
    [{ Range: "bytes=0-9" }, 206],
  ] as const) {
    const response = await ask(headers, path);
    const sent = ["Content-Encoding", "Cache-Control", "Accept-Ranges", "Access-Control-Allow-Origin"].map((name) =>
      response.headers.get(name),
    );
    expect([response.status, ...sent]).toEqual([status, null, IMMUTABLE, "bytes", "*"]);
    expect(response.headers.get("Access-Control-Expose-Headers")).toContain("Content-Range");
    const type = path.endsWith(".pack") ? "application/octet-stream" : "application/vnd.apache.parquet";
    expect(response.headers.get("Content-Type")).toBe(type);
  }
});

test.each([
  "bytes=0-0",
  "bytes=0-4999",
  "bytes=4999-4999",
  "bytes=4999-",
  "bytes=10-99999",
  "bytes=-1",
  "bytes=-5000",
  "bytes=-99999",
  "bytes=-0",
  "bytes=5000-",
  "bytes=5000-5001",
  "bytes=99999999999999999999-",
  "bytes=7-3",
  "bytes=-",
  "bytes=",
  "bytes",
  "0-9",
  "bytes=0-1,5-6",
  "bytes=a-b",
  "lines=0-9",
  "bytes=0-9x",
])("%s is answered as RFC 9110 requires", async (range) => {
  const right = answerFile(PACK, { range });
  const response = await ask({ Range: range });
  const sent = [response.status, response.headers.get("Content-Range"), (await bodyOf(response)).equals(right.body)];
  expect(sent).toEqual([right.status, right.headers["Content-Range"] ?? null, true]);
});

test("any range returns its bytes", async () => {
  for (let round = 0; round < 60; round++) {
    const [start, length] = [(round * 977) % 5000, (round * 131) % 2100];
    const response = await ask({ Range: `bytes=${start}-${start + length}` });
    const body = await bodyOf(response);
    expect(body.equals(PACK.subarray(start, start + length + 1))).toBe(true);
    expect(response.headers.get("Content-Length")).toBe(String(body.length));
  }
});

test("a range applies to the caller's version if its strong ETag matches, otherwise the whole file is sent", async () => {
  const tag = (await ask()).headers.get("ETag") ?? "";
  const range = { Range: "bytes=0-9" };
  expect((await ask({ ...range, "If-Range": tag })).status).toBe(206);
  for (const other of [`W/${tag}`, '"other"', "Wed, 21 Oct 2026 07:28:00 GMT"]) {
    const response = await ask({ ...range, "If-Range": other });
    expect([response.status, (await bodyOf(response)).length], other).toEqual([200, 5000]);
  }
  expect((await ask({ ...range, "If-None-Match": tag })).status).toBe(304);
});

test("ranges apply only to GET, and no error is cached", async () => {
  const head = await ask({ Range: "bytes=0-9" }, PATHS[0], "HEAD");
  expect([head.status, head.headers.get("Content-Length")]).toEqual([200, "5000"]);
  const beyond = await ask({ Range: "bytes=5000-" });
  expect([beyond.status, beyond.headers.get("Cache-Control")]).toEqual([416, "no-store"]);
});

test("preflights for ranges, which older browsers send, are allowed", async () => {
  const preflight = await ask(
    { "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "range" },
    PATHS[0],
    "OPTIONS",
  );
  expect(preflight.headers.get("Access-Control-Allow-Headers")?.toLowerCase()).toContain("range");
});
