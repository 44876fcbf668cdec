import { afterEach, expect, test, vi } from "vitest";
import { fetchEarly, takeEarly } from "./early-wasm.ts";

const URL_OF_WASM = "https://example.org/parquet.wasm.z";

afterEach(() => {
  vi.unstubAllGlobals();
});

function stub(kept: Response | undefined, answer: () => Promise<Response>) {
  const fetched = vi.fn(answer);
  vi.stubGlobal("fetch", fetched);
  vi.stubGlobal("caches", { open: async () => ({ match: async () => kept }) });
  return fetched;
}

test("what is fetched early is given once", async () => {
  const fetched = stub(undefined, async () => new Response("wasm"));
  fetchEarly(URL_OF_WASM);
  expect(await (await takeEarly(URL_OF_WASM))?.text()).toBe("wasm");
  expect(takeEarly(URL_OF_WASM)).toBeUndefined();
  expect(fetched).toHaveBeenCalledTimes(1);
});

test("what the cache has is not fetched", async () => {
  const fetched = stub(new Response("kept"), async () => new Response("wasm"));
  fetchEarly(URL_OF_WASM);
  expect(await takeEarly(URL_OF_WASM)).toBeUndefined();
  expect(fetched).not.toHaveBeenCalled();
});

test("a failure is told to who takes it, and to nobody after", async () => {
  stub(undefined, async () => {
    throw new TypeError("no network");
  });
  fetchEarly(URL_OF_WASM);
  await expect(takeEarly(URL_OF_WASM)).rejects.toThrow("no network");
  expect(takeEarly(URL_OF_WASM)).toBeUndefined();
});
