import { beforeEach, expect, test, vi } from "vitest";
import { ownDatabase } from "./database.ts";

vi.mock("./worker.ts", async () => {
  const { signal } = await import("@preact/signals");
  return { engineParts: { database: signal(undefined) }, startWorker: vi.fn() };
});

/** Started workers with their calls; the test controls their answers. */
function workers() {
  const started: { readonly asked: string[]; answer(error?: string): void; isEnded: boolean }[] = [];
  const start = () => {
    let hear = (_: { data: unknown }) => {};
    const ids: number[] = [];
    const own = {
      asked: [] as string[],
      isEnded: false,
      answer: (error?: string) => {
        const id = ids.shift();
        if (error === undefined) hear({ data: { kind: "answer", id, value: undefined } });
        else hear({ data: { kind: "failure", id, error: { name: "Error", message: error, isUnanswered: false } } });
      },
    };
    started.push(own);
    return {
      addEventListener(type: string, listener: typeof hear) {
        if (type === "message") hear = listener;
      },
      postMessage({ kind, id, name }: { kind: string; id: number; name: string }) {
        if (kind !== "call") return;
        ids.push(id);
        own.asked.push(name);
      },
      terminate() {
        own.isEnded = true;
      },
    } as unknown as Worker;
  };
  return { started, database: ownDatabase(start, () => "https://example.org/") };
}

let { started, database } = workers();
beforeEach(() => {
  ({ started, database } = workers());
});

test("all callers get the same database", async () => {
  const both = Promise.all([database.start(), database.start()]);
  started[0]?.answer();
  const [first, second] = await both;
  expect(first).toBe(second);
  expect(await database.start()).toBe(first);
  expect(started.map(({ asked }) => asked)).toEqual([["startConsole"]]);
});

test("a database that was ended is replaced, and is gone before the next starts", async () => {
  const first = database.start();
  database.end();
  await expect(first).rejects.toThrow(/abort/i);
  const second = database.start();
  started[1]?.answer();
  expect((await second).ended.aborted).toBe(false);
  expect(started.map(({ isEnded }) => isEnded)).toEqual([true, false]);
});

test("one that cannot start is tried again", async () => {
  const first = database.start();
  started[0]?.answer("no memory");
  await expect(first).rejects.toThrow("no memory");
  const second = database.start();
  started[1]?.answer();
  await second;
  expect(started.map(({ isEnded }) => isEnded)).toEqual([true, false]);
});

test("a worker that the browser refuses is requested again", async () => {
  const start = vi.fn<() => Worker>(() => {
    throw new Error("no worker");
  });
  const refused = ownDatabase(start, () => "https://example.org/");
  await expect(refused.start()).rejects.toThrow("no worker");
  await expect(refused.start()).rejects.toThrow("no worker");
  expect(start).toHaveBeenCalledTimes(2);
});
