/** Calls from the page to its worker: requests with an id, answers with the same id, and status messages. @module */
import type { CallsOf, Remote, RemoteCalls, RemoteHandlers, WorkerStatus } from "./protocol.ts";

type ToWorker =
  | { readonly kind: "call"; readonly id: number; readonly name: PropertyKey; readonly argument: unknown }
  | { readonly kind: "cancel"; readonly id: number };
type FromWorker =
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | { readonly kind: "failure"; readonly id: number; readonly error: SentError }
  | { readonly kind: "progress"; readonly id: number; readonly progress: unknown }
  | { readonly kind: "slice"; readonly id: number; readonly items: readonly unknown[] }
  | { readonly kind: "status"; readonly status: unknown };

type SentError = Readonly<Record<"name" | "message", string>> & { readonly isUnanswered: boolean };

/** Maximum number of items per message: one message with thousands of records would block the page longer than a frame. */
const SLICE_ITEMS = 100;

interface Line {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

interface CallingLine extends Line {
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  addEventListener(type: "error", listener: () => void): void;
}

/**
 * Returns a function that calls the worker. An abort rejects the call with the signal's reason, and stops its work. Calls to a
 * worker that cannot be loaded are rejected. Errors arrive as `Error` with `name`, `message` and `isUnanswered` only.
 */
export function callRemote<Calls extends CallsOf<Calls> = RemoteCalls, Status = WorkerStatus>(
  line: CallingLine,
  onStatus: (status: NoInfer<Status>) => void,
): Remote<Calls> {
  return connect<Calls, Status>(line, onStatus).remote;
}

/**
 * Returns a function that calls a worker. The call `open` starts the worker if it is not running. Other calls without a worker
 * are rejected.
 */
export function callWorker(start: () => Worker, onStatus: (status: WorkerStatus) => void): Remote {
  let connected: Connection<RemoteCalls> | undefined;
  const begin = (): Connection<RemoteCalls> => {
    const worker = start();
    const connection = connect<RemoteCalls, WorkerStatus>(worker, onStatus);
    worker.addEventListener("error", () => {
      if (connection.hasSpoken()) return;
      if (connected === connection) connected = undefined;
      worker.terminate();
    });
    return connection;
  };
  return (name, ...call) => {
    if (name === "open") connected ??= begin();
    return connected ? connected.remote(name, ...call) : Promise.reject(lost());
  };
}

function lost(): Error {
  return Object.assign(new Error("the search engine's program cannot be fetched"), { isUnanswered: true });
}

/** Returns whether the error, thrown here or in a worker, means that no host answered. A retry then makes sense. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && "isUnanswered" in error && error.isUnanswered === true;
}

interface Connection<Calls extends CallsOf<Calls>> {
  readonly remote: Remote<Calls>;
  readonly hasSpoken: () => boolean;
}

function connect<Calls extends CallsOf<Calls>, Status>(
  line: CallingLine,
  onStatus: (status: NoInfer<Status>) => void,
): Connection<Calls> {
  const waiting = new Map<number, Call>();
  let lastId = 0;
  let hasSpoken = false;
  line.addEventListener("message", ({ data }) => {
    hasSpoken = true;
    const message = data as FromWorker;
    if (message.kind === "status") return onStatus(message.status as Status);
    const call = waiting.get(message.id);
    if (message.kind === "progress") return call?.onProgress?.(message.progress);
    if (message.kind === "slice") {
      for (const item of message.items) call?.items.push(item);
      return;
    }
    waiting.delete(message.id);
    if (message.kind === "answer") call?.resolve(whole(message.value, call.items));
    else call?.reject(Object.assign(new Error(message.error.message), message.error));
  });

  const remote: Remote<Calls> = (name, argument, signal, onProgress) =>
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
        items: [],
        onProgress: onProgress as Call["onProgress"],
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
  line.addEventListener("error", () => {
    // after its first message an error is not a failed start
    if (hasSpoken) return;
    for (const call of waiting.values()) call.reject(lost());
    waiting.clear();
  });
  return { remote, hasSpoken: () => hasSpoken };
}

interface Call {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((progress: unknown) => void) | undefined;
  readonly items: unknown[];
}

function whole(value: unknown, items: readonly unknown[]): unknown {
  return items.length === 0 ? value : { ...(value as object), body: items };
}

function sendAhead(line: Line, id: number, value: unknown): unknown {
  const { body } = (value ?? {}) as { readonly body?: unknown };
  if (!Array.isArray(body) || body.length <= SLICE_ITEMS) return value;
  for (let start = 0; start < body.length; start += SLICE_ITEMS) {
    line.postMessage({ kind: "slice", id, items: body.slice(start, start + SLICE_ITEMS) } satisfies FromWorker);
  }
  return { ...(value as object), body: [] };
}

/**
 * Answers calls from the page with the handlers. Buffers in values are transferred, not copied. Returns a function that sends
 * status messages.
 */
export function serveRemote<Calls extends CallsOf<Calls> = RemoteCalls, Status = WorkerStatus>(
  line: Line,
  handlers: RemoteHandlers<NoInfer<Calls>>,
): (status: Status) => void {
  const running = new Map<number, AbortController>();
  line.addEventListener("message", ({ data }) => {
    const message = data as ToWorker;
    if (message.kind === "cancel") return running.get(message.id)?.abort();
    const { id, name, argument } = message;
    const controller = new AbortController();
    running.set(id, controller);
    const handle = handlers[name as keyof Calls] as (
      argument: unknown,
      signal: AbortSignal,
      report: (progress: unknown) => void,
    ) => Promise<unknown>;
    const report = (progress: unknown) => line.postMessage({ kind: "progress", id, progress } satisfies FromWorker);
    handle(argument, controller.signal, report)
      .then(
        (value) => {
          const transfer = value instanceof ArrayBuffer ? [value] : [];
          line.postMessage({ kind: "answer", id, value: sendAhead(line, id, value) } satisfies FromWorker, transfer);
        },
        (error: unknown) => {
          const { name, message } = error instanceof Error ? error : new Error(String(error));
          const sent = { name, message, isUnanswered: isUnanswered(error) };
          line.postMessage({ kind: "failure", id, error: sent } satisfies FromWorker);
        },
      )
      .finally(() => running.delete(id));
  });
  return (status) => line.postMessage({ kind: "status", status } satisfies FromWorker);
}
