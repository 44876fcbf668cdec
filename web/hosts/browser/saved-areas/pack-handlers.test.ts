import { createHash } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { packHandlers } from "./pack-handlers.ts";

const MEBIBYTE = 2 ** 20;

afterEach(() => vi.unstubAllGlobals());

/** A host whose files never end. */
function endlessHost(): { bytes: number } {
  const sent = { bytes: 0 };
  const chunk = new TextEncoder().encode(" ".repeat(MEBIBYTE / 4));
  vi.stubGlobal("fetch", async () => {
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent.bytes += chunk.length;
        controller.enqueue(chunk);
      },
    });
    return new Response(body);
  });
  return sent;
}

const { signal } = new AbortController();
const pack = { name: "Monaco", file: "monaco.cairn.tar", release: "2026-03-18.0" };
const handlers = (importArea = vi.fn()) => packHandlers(() => new URL("https://host.example/dataset/"), importArea);

test("an endless list of area files is read up to its limit, and refused", async () => {
  const sent = endlessHost();
  await expect(handlers().packs(undefined, signal, () => {})).rejects.toThrow(
    "packs.json has more than 1048576 bytes, the maximum",
  );
  expect(sent.bytes).toBeLessThan(2 * MEBIBYTE);
});

test("an endless area file is read up to the size in the list, and refused", async () => {
  const sent = endlessHost();
  const importArea = vi.fn();
  const listed = { ...pack, bytes: MEBIBYTE, sha256: "0".repeat(64) };
  expect(await handlers(importArea).takePack(listed, signal, () => {})).toEqual({
    kind: "damaged",
    reason: "monaco.cairn.tar has more than the 1048576 bytes in the list",
  });
  expect(sent.bytes).toBeLessThan(2 * MEBIBYTE);
  expect(importArea).not.toHaveBeenCalled();
});

test("an area file that matches the list is imported, and a shorter or changed one is not", async () => {
  const content = "an area";
  vi.stubGlobal("fetch", async () => new Response(content));
  const sha256 = createHash("sha256").update(content).digest("hex");
  const importArea = vi.fn(async (file: Blob) => ({ kind: "damaged" as const, reason: await file.text() }));
  const take = (bytes: number, hash: string) =>
    handlers(importArea).takePack({ ...pack, bytes, sha256: hash }, signal, () => {});
  expect(await take(7, sha256)).toEqual({ kind: "damaged", reason: content });
  expect(await take(8, sha256)).toMatchObject({ reason: "monaco.cairn.tar has 7 bytes, expected 8" });
  expect(await take(7, "0".repeat(64))).toMatchObject({ reason: expect.stringContaining(`has SHA-256 ${sha256}`) });
  expect(importArea).toHaveBeenCalledTimes(1);
});
