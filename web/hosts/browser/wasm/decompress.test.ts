import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { decompress } from "./wasm-files.ts";

const TEXT = "cairn ".repeat(5000);

async function textOf(bytes: Uint8Array): Promise<string> {
  const stream = new Blob([Uint8Array.from(bytes)]).stream();
  return new Response(await decompress(stream)).text();
}

test("decompresses gzip", async () => {
  expect(await textOf(gzipSync(TEXT))).toBe(TEXT);
});

test("decompresses xz", async (context) => {
  const xz = await import("node-liblzma").catch(() => undefined);
  if (!xz) return context.skip();
  expect(await textOf(await xz.xzAsync(Buffer.from(TEXT)))).toBe(TEXT);
});

test("other content is unchanged: the browser may have decompressed it", async () => {
  expect(await textOf(new TextEncoder().encode(TEXT))).toBe(TEXT);
  expect(await textOf(new Uint8Array())).toBe("");
});

test("a truncated stream is an error, not a shorter file", async () => {
  await expect(textOf(gzipSync(TEXT).subarray(0, 40))).rejects.toThrow();
});
