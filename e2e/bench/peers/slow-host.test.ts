import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SlowHost, startSlowHost } from "./slow-host.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-slow-host-"));
let host: SlowHost;

beforeAll(async () => {
  writeFileSync(join(folder, "letters.bin"), "abcdefghij");
  writeFileSync(join(folder, "long.json"), JSON.stringify("a".repeat(10_000)));
  host = await startSlowHost({ "/": folder });
});

afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true });
});

test("a range is answered with its bytes alone, both ends included", async () => {
  const response = await fetch(`${host.url}letters.bin`, { headers: { Range: "bytes=2-4" } });
  expect(response.status).toBe(206);
  expect(response.headers.get("Content-Range")).toBe("bytes 2-4/10");
  expect(await response.text()).toBe("cde");
});

test("requests at a time are one round trip, one after the other as many", async () => {
  const get = async () => (await fetch(`${host.url}letters.bin`)).text();
  host.use({ name: "slow", latencyMs: 100, bitsPerSecond: 20e6 });
  host.forget();
  await Promise.all([get(), get(), get()]);
  expect(host.sent()).toEqual({ requests: 3, bytes: 30, roundTrips: 1 });
  await get();
  expect(host.sent().roundTrips).toBe(2);
});

test("text goes over the line as gzip", async () => {
  host.forget();
  expect(await (await fetch(`${host.url}long.json`)).json()).toHaveLength(10_000);
  expect(host.sent().bytes).toBeLessThan(1000);
});

test("a line of so many bits a second takes its time", async () => {
  host.use({ name: "narrow", latencyMs: 0, bitsPerSecond: 400 });
  const start = performance.now();
  await (await fetch(`${host.url}letters.bin`)).text();
  expect(performance.now() - start).toBeGreaterThan(190);
});
