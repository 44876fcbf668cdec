import { createHash } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { knownKeys, readKeyHashes } from "./keys.ts";
import { limitUrl } from "./limits.ts";

test("a URL over the limit is a 400 that reports its length", async () => {
  const app = new Hono().use("*", limitUrl(100)).get("/", (c) => c.text("ok"));
  expect((await app.request(`/?a=${"x".repeat(60)}`)).status).toBe(200);
  const long = await app.request(`/?a=${"x".repeat(90)}`);
  expect(long.status).toBe(400);
  expect((await long.json()).message[0]).toMatch(/^the URL must be at most 100 bytes, got \d+$/);
});

test("keys are checked by their hashes; a file with other content is refused", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cairn-keys-"));
  const path = join(folder, "keys");
  const hash = (key: string) => createHash("sha256").update(key).digest("hex");
  await writeFile(path, `# ours\n${hash("one")}  # first\n\n${hash("two").toUpperCase()}\n`);
  const isKnown = knownKeys(await readKeyHashes(path));
  expect(["one", "two", "three", ""].map((key) => isKnown(key))).toEqual([true, true, false, false]);
  await writeFile(path, "secret\n");
  await expect(readKeyHashes(path)).rejects.toThrow("line 1 is not a SHA-256");
  await writeFile(path, "# nothing\n");
  await expect(readKeyHashes(path)).rejects.toThrow("holds no SHA-256");
});
