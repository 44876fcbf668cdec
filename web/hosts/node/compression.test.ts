import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import zlib from "node:zlib";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chooseEncoding, compressAnswers, ENCODINGS } from "./compression.ts";
import { startTestHost, type TestHost } from "./testing/host.ts";

const ALL = "/places?country=MC";
const TILE = "/tiles/place/14/8529/5974.mvt";
const FEW = "/places?country=MC&limit=2";
const TEXT = "a line of text, and another\n".repeat(200);
const NOISE = randomBytes(4096);

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
  ...("zstdDecompressSync" in zlib ? { zstd: zlib.zstdDecompressSync as (bytes: Buffer) => Buffer } : {}),
};

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost({
    places: 3000,
    files: {
      "page/index.html": `<!doctype html>${TEXT}`,
      "page/assets/page-1.js": TEXT,
      "page/assets/engine.wasm.xz": NOISE,
      "page/icon.png": NOISE,
      "page/small.txt": "small",
      "dataset/0123456789abcdef.json": JSON.stringify({ text: TEXT }),
      "dataset/0123456789abcdef.parquet": NOISE,
    },
  });
});
afterAll(() => host.close());

const accept = (encoding: string) => ({ "Accept-Encoding": encoding });

describe("the encoding that the caller prefers", () => {
  const best = ENCODINGS[0];
  test.each([
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["deflate", undefined],
    ["gzip, deflate, br", "br"],
    ["br;q=0.5, gzip", "gzip"],
    ["br;q=0.5, gzip;q=0.8", "gzip"],
    ["br;q=0, gzip;q=0", undefined],
    ["br;q=0, *", ENCODINGS.find((name) => name !== "br")],
    ["*", best],
    ["*;q=0", undefined],
    ["identity;q=1, gzip;q=0.5", undefined],
    ["identity;q=0.5, gzip;q=1", "gzip"],
  ])("%s", (header, expected) => {
    expect(chooseEncoding(header)).toBe(expected);
  });
});

test("zstd is sent if Node supports it", () => {
  expect(ENCODINGS).toEqual("createZstdCompress" in zlib ? ["br", "zstd", "gzip"] : ["br", "gzip"]);
});

describe.each(ENCODINGS)("%s", (encoding) => {
  test.each([ALL, TILE, "/", "/assets/page-1.js", "/dataset/0123456789abcdef.json"])(
    "of %s is the same content",
    async (path) => {
      const html = path === "/" ? { Accept: "text/html" } : {};
      const plain = await host.get(path, html);
      const sent = await host.get(path, { ...html, ...accept(encoding) });
      expect([plain.status, sent.status]).toEqual([200, 200]);
      expect(plain.headers["content-encoding"]).toBeUndefined();
      expect([sent.headers["content-encoding"], sent.headers["content-length"]]).toEqual([encoding, undefined]);
      expect(sent.body.length).toBeLessThan(plain.body.length / 2);
      expect(DECODERS[encoding]?.(sent.body).equals(plain.body)).toBe(true);
      for (const { headers } of [plain, sent]) expect(headers.vary).toMatch(/accept-encoding/i);
    },
  );

  test.each([ALL, "/assets/page-1.js", "/dataset/0123456789abcdef.json"])(
    "of %s has an ETag that revalidates",
    async (path) => {
      const plain = String((await host.get(path)).headers.etag);
      const sent = String((await host.get(path, accept(encoding))).headers.etag);
      expect(plain).toMatch(/^"[\w-]+"$/);
      expect(sent).toBe(`W/${plain}`);
      for (const tag of [plain, sent]) {
        for (const headers of [accept(encoding), {}]) {
          const again = await host.get(path, { ...headers, "If-None-Match": tag });
          expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, tag]);
          expect(again.headers.vary).toMatch(/accept-encoding/i);
        }
      }
      expect((await host.get(path, { ...accept(encoding), "If-None-Match": '"other"' })).status).toBe(200);
    },
  );
});

test.each(["/assets/engine.wasm.xz", "/icon.png", "/dataset/0123456789abcdef.parquet", "/small.txt", "/places/none"])(
  "%s is not compressed, because it is already compressed or small",
  async (path) => {
    const { headers, body } = await host.get(path, accept("br, zstd, gzip"));
    expect([headers["content-encoding"], Number(headers["content-length"])]).toEqual([undefined, body.length]);
    expect(headers.etag ?? '"').toMatch(/^"/);
  },
);

test("a part of a file is of its plain bytes, and of the right version", async () => {
  const path = "/assets/page-1.js";
  const { etag = "" } = (await host.get(path)).headers;
  const part = await host.get(path, { ...accept("gzip"), Range: "bytes=0-5", "If-Range": etag });
  expect([part.status, part.headers["content-encoding"], part.body.toString()]).toEqual([206, undefined, "a line"]);
  const other = await host.get(path, { Range: "bytes=0-5", "If-Range": '"other"' });
  expect([other.status, other.body.length]).toEqual([200, TEXT.length]);
});

test.each([
  ALL,
  FEW,
  "/places?country=MC&limit=500",
  "/places?country=MC&limit=0",
  "/places/none",
  "/",
  "/openapi.json",
  "/assets/page-1.js",
  "/small.txt",
  "/nothing",
  "/dataset/manifest.json",
  "/dataset/0123456789abcdef.parquet",
])("HEAD %s has the headers of GET, including the length", async (path) => {
  for (const encoding of ["identity", "gzip", "br"]) {
    const get = await host.get(path, accept(encoding));
    const head = await host.get(path, accept(encoding), "HEAD");
    const known = (headers: object) => ({ ...headers, date: "", "transfer-encoding": "" });
    expect([head.status, known(head.headers), head.body.length]).toEqual([get.status, known(get.headers), 0]);
  }
});

describe("a streamed answer", () => {
  function answering(body: ReadableStream<Uint8Array>): Hono {
    const app = new Hono().use(compressAnswers());
    app.onError((error, c) => c.text(error.message, 500));
    return app.get("*", (c) => c.body(body, 200, { "Content-Type": "application/json" }));
  }

  /** Records how it was used. Chunks are large, as in real answers. */
  function endless() {
    const seen = { pieces: 0, isCancelled: false };
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        seen.pieces++;
        controller.enqueue(new TextEncoder().encode(randomBytes(32 * 1024).toString("hex")));
      },
      cancel() {
        seen.isCancelled = true;
      },
    });
    const app = answering(body);
    return { seen, app, ask: (init: RequestInit) => app.request("http://h/", init) };
  }

  test.each([...ENCODINGS, "identity"])(
    "arrives before it is complete, and is made only as fast as it is read: %s",
    async (encoding) => {
      const { seen, ask } = endless();
      const reader = (await ask({ headers: accept(encoding) })).body?.getReader();
      for (let read = 0; read < 3; read++) expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(seen.pieces).toBeLessThan(40);
      await reader?.cancel();
      await expect.poll(() => seen.isCancelled).toBe(true);
    },
  );

  test.each([...ENCODINGS, "identity"])("ends when its caller leaves: %s", async (encoding) => {
    const { seen, app } = endless();
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const asked = get({ port, host: "127.0.0.1", headers: accept(encoding), agent: false });
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    await once(response, "data");
    expect(seen.isCancelled).toBe(false);
    response.destroy();
    await expect.poll(() => seen.isCancelled).toBe(true);
    server.close();
  });

  test("is cancelled when only its headers are requested", async () => {
    const { seen, ask } = endless();
    const head = await ask({ method: "HEAD", headers: accept("br") });
    expect([head.body, head.headers.get("Content-Encoding")]).toEqual([null, "br"]);
    await expect.poll(() => seen.isCancelled).toBe(true);
  });

  test("is an error when nothing of it could be made", async () => {
    const body = new ReadableStream<Uint8Array>({ pull: () => Promise.reject(new Error("lost")) });
    const sent = await answering(body).request("http://h/");
    expect([sent.status, await sent.text()]).toEqual([500, "lost"]);
  });

  test.each(ENCODINGS)("fails as it fails: %s", async (encoding) => {
    let pieces = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (pieces++ < 4) controller.enqueue(new Uint8Array(64 * 1024));
        else controller.error(new Error("lost"));
      },
    });
    const sent = await answering(body).request("http://h/", { headers: accept(encoding) });
    await expect(sent.arrayBuffer()).rejects.toThrow();
  });
});
