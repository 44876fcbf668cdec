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

test("datasets with the same lists share what is prepared from them", async () => {
  const table = { cafe: ["cafe"], dentist: ["dentist"] };
  const list = { source: "made up", stop: "i", phrases: { dentist: "toothache" } };
  const open = (words = table) => meaningLoader({ categoryWords: async () => words, intentWords: async () => list });
  const { intents } = await open()(["en"], {});
  expect(intents?.find(["toothache"])).toMatchObject([{ id: "dentist", score: 1 }]);
  expect((await open()(["en"], {})).intents).toBe(intents);
  const other = (await open({ ...table, dentist: ["tooth doctor"] })(["en"], {})).intents;
  expect(other).not.toBe(intents);
  expect([intents, other].map((each) => each?.find(["doctor"]).length)).toEqual([0, 1]);
});

test("texts in the same languages get the same tables, also without intents, so that names are read once", async () => {
  const load = meaningLoader({ categoryWords: async () => ({ cafe: ["cafe"] }) });
  const { categoryWords } = await load(["en"], { hasIntents: false });
  expect((await load(["en"], { hasIntents: false })).categoryWords).toBe(categoryWords);
});
