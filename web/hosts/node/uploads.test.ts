import { type Context, Hono } from "hono";
import { expect, test } from "vitest";
import { failureResponse } from "../../api/index.ts";
import { holdUploads } from "./uploads.ts";

const MAX_BYTES = 1000;

/** An app that returns the length of a body after `open` was called. */
function appWith(uploadBytes: number) {
  const waiting: (() => void)[] = [];
  const peerOf = (c: Context) => c.req.header("X-Peer") ?? "";
  const app = new Hono();
  app.onError((error, c) => failureResponse(error, c.req.raw, () => {}));
  app.use("*", holdUploads({ limits: { uploadBytes }, peerOf, maxBytes: MAX_BYTES }));
  app.post("/", async (c) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return c.text(String((await c.req.arrayBuffer()).byteLength));
  });
  const post = (bytes: number, peer = "a") =>
    app.request("/", { method: "POST", body: new Uint8Array(bytes), headers: { "X-Peer": peer } });
  return {
    post,
    waiting,
    async open() {
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

test("a body is passed on whole, and of one that is too long enough to refuse it", async () => {
  const { post, waiting, open } = appWith(1_000_000);
  const asked = [post(0), post(MAX_BYTES), post(MAX_BYTES + 1)];
  await expect.poll(() => waiting.length).toBe(3);
  await open();
  const lengths = await Promise.all(asked.map(async (response) => Number(await (await response).text())));
  expect(lengths.slice(0, 2)).toEqual([0, MAX_BYTES]);
  expect(lengths[2]).toBeGreaterThan(MAX_BYTES);
});

test("all bodies together are bounded, and one address may use half", async () => {
  const { post, waiting, open } = appWith(4000);
  const first = [post(1000), post(1000)];
  await expect.poll(() => waiting.length).toBe(2);
  const refused = await post(1);
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "1"]);
  const others = [post(1000, "b"), post(1000, "c")];
  await expect.poll(() => waiting.length).toBe(4);
  expect((await post(1, "d")).status).toBe(503);
  await open();
  expect((await Promise.all([...first, ...others])).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const again = post(1000);
  await expect.poll(() => waiting.length).toBe(1);
  await open();
  expect((await again).status).toBe(200);
});
