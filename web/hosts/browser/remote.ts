/**
 * Calls from the page to its worker: requests with an id, answers with the same id, and news that nobody asked for.
 * @module
 */
import type { Remote, RemoteCalls, WorkerNews } from "./protocol.ts";

type CallName = keyof RemoteCalls;
type ToWorker =
  | { readonly kind: "call"; readonly id: number; readonly name: CallName; readonly argument: unknown }
  | { readonly kind: "cancel"; readonly id: number };
type FromWorker =
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | { readonly kind: "failure"; readonly id: number; readonly name: string; readonly message: string }
  | { readonly kind: "news"; readonly news: WorkerNews };

/** Either end of the line: a `Worker` in the page, `self` in the worker. */
interface Line {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

/** The page's end. Aborting a call rejects it with `AbortError` and tells the worker to stop. */
export function callRemote(line: Line, onNews: (news: WorkerNews) => void): Remote {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  let lastId = 0;
  line.addEventListener("message", ({ data }) => {
    const message = data as FromWorker;
    if (message.kind === "news") return onNews(message.news);
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === "answer") call?.resolve(message.value);
    else call?.reject(Object.assign(new Error(message.message), { name: message.name }));
  });

  return (name, argument, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      lastId += 1;
      const id = lastId;
      const stop = () => {
        if (!waiting.delete(id)) return;
        line.postMessage({ kind: "cancel", id } satisfies ToWorker);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", stop, { once: true });
      const settle = () => signal?.removeEventListener("abort", stop);
      waiting.set(id, {
        resolve: (value) => {
          settle();
          resolve(value as never);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      });
      line.postMessage({ kind: "call", id, name, argument } satisfies ToWorker);
    });
}

/** What the worker does for each call. */
export type RemoteHandlers = {
  readonly [Name in CallName]: (
    argument: RemoteCalls[Name]["argument"],
    signal: AbortSignal,
  ) => Promise<RemoteCalls[Name]["value"]>;
};

/** The worker's end; returns the way to send news. */
export function serveRemote(line: Line, handlers: RemoteHandlers): (news: WorkerNews) => void {
  const running = new Map<number, AbortController>();
  line.addEventListener("message", ({ data }) => {
    const message = data as ToWorker;
    if (message.kind === "cancel") return running.get(message.id)?.abort();
    const { id, name, argument } = message;
    const controller = new AbortController();
    running.set(id, controller);
    const handle = handlers[name] as (argument: unknown, signal: AbortSignal) => Promise<unknown>;
    handle(argument, controller.signal)
      .then(
        (value) => {
          const transfer = value instanceof ArrayBuffer ? [value] : [];
          line.postMessage({ kind: "answer", id, value } satisfies FromWorker, transfer);
        },
        (error: unknown) => {
          const { name, message } = error instanceof Error ? error : new Error(String(error));
          line.postMessage({ kind: "failure", id, name, message } satisfies FromWorker);
        },
      )
      .finally(() => running.delete(id));
  });
  return (news) => line.postMessage({ kind: "news", news } satisfies FromWorker);
}
