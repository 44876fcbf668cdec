import { createHash } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { knownKeys, readKeyHashes } from "./keys.ts";
import { limitSearches, limitUrl } from "./limits.ts";

test("a URL over the limit is a 400 that says how long it was", async () => {
  const app = new Hono().use("*", limitUrl(100)).get("/", (c) => c.text("ok"));
  expect((await app.request(`/?a=${"x".repeat(60)}`)).status).toBe(200);
  const long = await app.request(`/?a=${"x".repeat(90)}`);
  expect(long.status).toBe(400);
  expect((await long.json()).message[0]).toMatch(/^the URL must be at most 100 bytes, got \d+$/);
});

test("some run, some wait their turn, the rest are told to come back; then all goes on", async () => {
  const open: (() => void)[] = [];
  let most = 0;
  let running = 0;
  const app = new Hono()
    .use("*", limitSearches({ running: 2, waiting: 1, bodyBytes: 1024 }).limit)
    .get("/", async (c) => {
      running++;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => open.push(resolve));
      running--;
      return c.text("ok");
    });
  const asked = [app.request("/"), app.request("/"), app.request("/")];
  await expect.poll(() => open.length).toBe(2);
  const refused = await app.request("/");
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "1"]);
  while (open.length > 0) {
    open.shift()?.();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(most).toBe(2);
});

test("a body that fails fails for its caller too, and frees its place", async () => {
  const searches = limitSearches({ running: 1, waiting: 0, bodyBytes: 1024 });
  const pieces = [new Uint8Array(100), new Uint8Array(2000), undefined];
  const body = () => {
    const left = [...pieces];
    return new ReadableStream({
      pull(controller) {
        const piece = left.shift();
        if (piece) controller.enqueue(piece);
        else controller.error(new Error("no more"));
      },
    });
  };
  const app = new Hono().use("*", searches.limit).get("/", () => new Response(body()));
  for (let i = 0; i < 2; i++) {
    const response = await app.request("/");
    expect(response.status).toBe(200);
    expect(searches.load().running).toBe(1);
    await expect(response.arrayBuffer()).rejects.toThrow("no more");
    expect(searches.load()).toEqual({ running: 0, waiting: 0, bodyBytes: 0 });
  }
});

test("keys are known by their hashes; a file of anything else is refused", async () => {
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
