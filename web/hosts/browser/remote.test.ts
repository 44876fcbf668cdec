import { expect, test } from "vitest";
import { callRemote, type RemoteHandlers, serveRemote } from "./remote.ts";

/** Both ends of a line; what is said is cloned, as between threads. */
function joinEnds(handlers: Partial<RemoteHandlers>) {
  const messages: unknown[] = [];
  const { port1, port2 } = new MessageChannel();
  const end = (port: MessagePort) => ({
    postMessage: (message: unknown) => port.postMessage(message),
    addEventListener(_: "message", listener: (event: MessageEvent) => void) {
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

test.each([0, 1, 100, 101, 1234])("a list of %i comes over whole and in order", async (count) => {
  const body = Array.from({ length: count }, (_, id) => ({ id }));
  const { remote, messages, close } = joinEnds({ ask: async () => ({ status: 200, headers: { a: "b" }, body }) });
  expect(await remote("ask", "places")).toEqual({ status: 200, headers: { a: "b" }, body });
  const longest = messages.map((message) => (message as { items?: unknown[] }).items?.length ?? 0);
  expect(Math.max(...longest)).toBeLessThanOrEqual(100);
  close();
});

test("a body that is no list comes over as it is", async () => {
  const body = { message: ["no"] };
  const { remote, close } = joinEnds({ ask: async () => ({ status: 400, headers: {}, body }) });
  expect((await remote("ask", "places")).body).toEqual(body);
  close();
});

test("a call under way tells how far it is", async () => {
  const done = { records: 2, total: 2, bytes: 9 };
  const { remote, close } = joinEnds({
    async export(_argument, _signal, report) {
      report({ ...done, records: 1 });
      report(done);
      return { ...done, sources: [], unnamed: 0 };
    },
  });
  const heard: number[] = [];
  const argument = { address: "places", extent: "all", format: "csv" } as const;
  await remote("export", argument, undefined, ({ records }) => heard.push(records));
  expect(heard).toEqual([1, 2]);
  close();
});
