import { expect, test } from "vitest";
import { FetchError } from "../../../engine/contract/errors.ts";
import type { RemoteHandlers } from "./protocol.ts";
import { callRemote, callWorker, isUnanswered, serveRemote } from "./remote.ts";

const PLACES = { path: "/places", parameters: { country: "MC" } };

/** Both ends of a connection. Messages are cloned as between threads. */
function joinEnds(handlers: Partial<RemoteHandlers>) {
  const messages: unknown[] = [];
  const { port1, port2 } = new MessageChannel();
  const end = (port: MessagePort) => ({
    postMessage: (message: unknown) => port.postMessage(message),
    addEventListener(type: "message" | "error", listener: (event: MessageEvent) => void) {
      if (type === "error") return;
      port.addEventListener("message", (event) => {
        messages.push(event.data);
        listener(event);
      });
      port.start();
    },
  });
  serveRemote(end(port2), handlers as RemoteHandlers);
  return { remote: callRemote(end(port1), () => {}), messages, close: () => port1.close() };
}

test.each([0, 1, 100, 101, 1234])("a list of %i arrives complete and in order", async (count) => {
  const body = Array.from({ length: count }, (_, id) => ({ id }));
  const file = { id: "a", name: "a.csv", rows: count, leftOut: 0, bbox: [0, 0, 1, 1] } as const;
  const { remote, messages, close } = joinEnds({ addFile: async () => ({ kind: "added", file, body }) as never });
  expect(await remote("addFile", { file: new File([], "a.csv") })).toEqual({ kind: "added", file, body });
  const longest = messages.map((message) => (message as { items?: unknown[] }).items?.length ?? 0);
  expect(Math.max(...longest)).toBeLessThanOrEqual(100);
  close();
});

test("a body that is not a list arrives unchanged", async () => {
  const refused = { kind: "refused", faults: ["no"] } as const;
  const { remote, close } = joinEnds({ search: async () => refused });
  expect(await remote("search", PLACES)).toEqual(refused);
  close();
});

test("a running call reports progress", async () => {
  const done = { records: 2, total: 2, bytes: 9 };
  const { remote, close } = joinEnds({
    async export(_argument, _signal, report) {
      report({ ...done, records: 1 });
      report(done);
      return { ...done, sources: [], unnamed: 0 };
    },
  });
  const heard: number[] = [];
  const argument = { ...PLACES, format: "csv" } as const;
  await remote("export", argument, undefined, ({ records }) => heard.push(records));
  expect(heard).toEqual([1, 2]);
  close();
});

/** A worker that answers every call, or stays silent when its program is missing. */
function fakeWorker(isThere: boolean) {
  const target = new EventTarget();
  return Object.assign(target, {
    terminate() {},
    postMessage({ id }: { id: number }) {
      const event = isThere
        ? new MessageEvent("message", { data: { kind: "answer", id, value: "served" } })
        : new Event("error");
      queueMicrotask(() => target.dispatchEvent(event));
    },
  }) as unknown as Worker;
}

const OPEN = { base: "https://example.org/", allowPrefetch: false };

test("a worker that cannot be loaded fails its calls, and the next call to open starts another", async () => {
  const workers = [fakeWorker(false), fakeWorker(true)];
  const remote = callWorker(
    () => workers.shift() as Worker,
    () => {},
  );
  const lost = "the search engine's program cannot be fetched";
  const calls = await Promise.allSettled([remote("open", OPEN), remote("search", PLACES)]);
  for (const call of calls) expect(call).toMatchObject({ status: "rejected", reason: { message: lost } });
  await expect(remote("search", PLACES)).rejects.toThrow(lost);
  expect(workers).toHaveLength(1);
  expect(await remote("open", OPEN)).toBe("served");
  expect(await remote("search", PLACES)).toBe("served");
});

test("an error event of a running worker fails no call", async () => {
  const worker = fakeWorker(true);
  const remote = callWorker(
    () => worker,
    () => {},
  );
  expect(await remote("open", OPEN)).toBe("served");
  worker.dispatchEvent(new Event("error"));
  expect(await remote("search", PLACES)).toBe("served");
});

test.each([
  ["nobody answered", new FetchError("no", { path: "a", cause: new TypeError() }), true],
  ["the host answered 500", new FetchError("no", { path: "a", status: 500 }), false],
  ["something else", new RangeError("no"), false],
])("an error of the worker keeps whether a host answered: %s", async (_, error, expected) => {
  const { remote, close } = joinEnds({ refresh: async () => Promise.reject(error) });
  const came: unknown = await remote("refresh", undefined).catch((reason: unknown) => reason);
  expect(came).toMatchObject({ name: error.name, message: "no" });
  expect(isUnanswered(came)).toBe(expected);
  close();
});
