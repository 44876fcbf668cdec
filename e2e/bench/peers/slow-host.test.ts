import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCertificate } from "./certificate.ts";
import { type SlowHost, startSlowHost } from "./slow-host.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-slow-host-"));
let host: SlowHost;
let session: ClientHttp2Session;

beforeAll(async () => {
  writeFileSync(join(folder, "letters.bin"), "abcdefghij");
  writeFileSync(join(folder, "index.html"), "<!doctype html>");
  writeFileSync(join(folder, "long.json"), JSON.stringify("a".repeat(10_000)));
  const certificate = await makeCertificate();
  host = await startSlowHost({ "/": folder }, certificate);
  session = connect(host.url, { ca: certificate.cert });
});

afterAll(async () => {
  session.destroy();
  await host.close();
  rmSync(folder, { recursive: true });
});

interface Got {
  readonly headers: IncomingHttpHeaders & { readonly ":status"?: number };
  readonly body: Buffer;
}

/** Uses one connection for all. */
async function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Got> {
  const stream = session.request({ ":path": `/${path}`, ...headers });
  const answered = new Promise<Got["headers"]>((resolve, reject) =>
    stream.once("response", resolve).once("error", reject),
  );
  return { headers: await answered, body: await buffer(stream) };
}

test("a folder returns its page", async () => {
  const { headers, body } = await get("");
  expect([headers[":status"], headers["content-type"], body.toString()]).toEqual([200, "text/html", "<!doctype html>"]);
});

test("a range returns exactly its bytes, both ends included", async () => {
  const { headers, body } = await get("letters.bin", { range: "bytes=2-4" });
  expect(headers[":status"]).toBe(206);
  expect(headers["content-range"]).toBe("bytes 2-4/10");
  expect(String(body)).toBe("cde");
});

test("a missing file is 404", async () => {
  expect((await get("nothing.bin")).headers[":status"]).toBe(404);
});

test("parallel requests are one round trip, consecutive requests one each", async () => {
  host.use({ name: "slow", latencyMs: 100, bitsPerSecond: 20e6 });
  host.forget();
  await Promise.all(Array.from({ length: 20 }, () => get("letters.bin")));
  expect(host.sent()).toEqual({ requests: 20, bytes: 200, roundTrips: 1 });
  await get("letters.bin");
  expect(host.sent().roundTrips).toBe(2);
});

test("text is sent as gzip", async () => {
  host.forget();
  const { body } = await get("long.json", { "accept-encoding": "gzip" });
  expect(JSON.parse(String(gunzipSync(body)))).toHaveLength(10_000);
  expect(host.sent().bytes).toBeLessThan(1000);
});

test("a limited bandwidth takes its time", async () => {
  host.use({ name: "narrow", latencyMs: 0, bitsPerSecond: 400 });
  const start = performance.now();
  await get("letters.bin");
  expect(performance.now() - start).toBeGreaterThan(190);
});
