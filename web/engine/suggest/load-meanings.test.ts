import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { FetchError } from "../contract/errors.ts";
import { meaningLoader } from "./load-meanings.ts";

const never = () => new Promise<never>(() => {});

test("an abort while both lists load is reported once", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  const controller = new AbortController();
  const loading = meaningLoader({ categoryWords: never, intentWords: never })(["en", "fr"], controller);
  controller.abort();
  await expect(loading).rejects.toThrow("aborted");
  await setImmediate();
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test("a list that cannot be loaded is reported, or fails a caller that needs all", async () => {
  const load = meaningLoader({
    categoryWords: async () => ({ cafe: ["cafe"] }),
    intentWords: async () => {
      throw new FetchError("intents-en.json: 503", { path: "intents-en.json", status: 503 });
    },
  });
  await expect(load(["en"], {})).rejects.toThrow("503");
  const onMissing = vi.fn();
  expect(await load(["en"], { onMissing })).toEqual({ categoryWords: [{ cafe: ["cafe"] }], intents: undefined });
  expect(onMissing).toHaveBeenCalledOnce();
});
