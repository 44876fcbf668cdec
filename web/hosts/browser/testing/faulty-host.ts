/**
 * A host and its network, with all kinds of faults.
 * @module
 */

import { answerFile } from "../../http/testing/range-answer-of.ts";
import { RANGE_FAULTS, type RangeFault, type RangeFaultName } from "../../http/testing/range-faults.ts";

export interface Asked {
  /** The right bytes: the file, or the requested range. */
  readonly file: Uint8Array<ArrayBuffer>;
  readonly whole: Uint8Array<ArrayBuffer>;
  readonly range: string | undefined;
  readonly signal: AbortSignal | null;
  /** The right answer with another body. */
  answer(body: BodyInit): Response;
}

/** The answer instead of the file; a throw is a network failure. */
export type HostFault = (asked: Asked) => Response | Promise<Response>;

export interface FaultyHost {
  files: ReadonlyMap<string, Uint8Array>;
  readonly asked: string[];
  /** Bytes of the bodies sent without a fault. */
  sentBytes: number;
  readonly fetch: typeof fetch;
  onAsked: (path: string) => unknown;
  /** Applies the fault to the next `times` requests for matching paths; to all when left out. */
  fail(path: RegExp, fault: HostFault, times?: number): void;
  heal(): void;
}

/** Returns a host at this URL. */
export function faultyHost(base: string, files: ReadonlyMap<string, Uint8Array>): FaultyHost {
  let failing: { readonly path: RegExp; readonly fault: HostFault; left: number } | undefined;
  const host: FaultyHost = {
    files,
    asked: [],
    sentBytes: 0,
    onAsked: () => {},
    async fetch(input, { signal = null, headers } = {}) {
      const path = String(input).slice(base.length);
      host.asked.push(path);
      await host.onAsked(path);
      signal?.throwIfAborted();
      const found = host.files.get(path);
      const whole = Uint8Array.from(found ?? []);
      const range = new Headers(headers).get("Range") ?? undefined;
      const right = answerFile(whole, { range });
      const answer = (body: BodyInit) => {
        // the length follows from the body
        const { "Content-Length": _, ...sentHeaders } = right.headers;
        return new Response(body, { status: right.status, headers: sentHeaders });
      };
      if (failing?.path.test(path) && failing.left-- > 0)
        return failing.fault({ file: right.body, whole, range, signal, answer });
      if (!found) return new Response("not found", { status: 404 });
      host.sentBytes += right.body.length;
      return answer(right.body);
    },
    fail(path, fault, times = Number.POSITIVE_INFINITY) {
      failing = { path, fault, left: times };
    },
    heal() {
      failing = undefined;
      host.onAsked = () => {};
    },
  };
  return host;
}

const HTML = "<!doctype html><title>Welcome to our network</title>";
const half = ({ file }: Asked) => file.slice(0, file.length / 2);
const status = (code: number, headers: HeadersInit = {}): HostFault => {
  return () => new Response("no", { status: code, headers });
};

function redirected(response: Response): Response {
  return Object.defineProperty(response, "redirected", { value: true });
}

/** Faults that affect only ranges. */
function rangeFaults(): Readonly<Record<RangeFaultName, HostFault>> {
  const all = Object.entries(RANGE_FAULTS).map(([name, fault]: [string, RangeFault]) => {
    const answered: HostFault = ({ whole, range }) => {
      const { status, headers, body } = fault({ file: whole, range });
      const sentHeaders = Object.entries(headers).filter(([, value]) => value !== "");
      // a browser decodes a body that is compressed as a whole
      if (status === 200 && headers["Content-Encoding"]) return new Response(whole);
      return new Response(status === 204 ? null : body, { status, headers: Object.fromEntries(sentHeaders) });
    };
    return [name, answered];
  });
  return Object.fromEntries(all) as Readonly<Record<RangeFaultName, HostFault>>;
}

export const HOST_FAULTS = {
  offline: () => {
    throw new TypeError("Failed to fetch");
  },
  slow: async ({ file, answer }) => {
    await new Promise((resolve) => setTimeout(resolve, 25));
    return answer(file);
  },
  silent: ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true })),
  "status 403": status(403),
  "status 404": status(404),
  "status 500": status(500),
  "status 503 with Retry-After": status(503, { "Retry-After": "1" }),
  "a part, status 206": (asked) => new Response(half(asked), { status: 206 }),
  "200 with a web page": () => new Response(HTML, { headers: { "Content-Type": "text/html" } }),
  "200 with nothing": () => new Response(null),
  "cut short": (asked) => asked.answer(half(asked)),
  "one byte changed": ({ file, answer }) => answer(file.with(file.length >> 1, (file[file.length >> 1] ?? 0) ^ 1)),
  "too long": ({ file, answer }) => answer(new Blob([file, file])),
  "a length header that is wrong": ({ file, answer }) => {
    const response = answer(file);
    response.headers.set("Content-Length", "7");
    return response;
  },
  "redirected to the file": ({ file, answer }) => redirected(answer(file)),
  "redirected to a web page": () => redirected(new Response(HTML)),
  "redirected for ever": () => {
    throw new TypeError("redirect count exceeded");
  },
  "reset in the middle": (asked) => {
    const first = half(asked);
    let isSent = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (isSent) controller.error(new TypeError("network error"));
        else controller.enqueue(first);
        isSent = true;
      },
    });
    return asked.answer(body);
  },
  ...rangeFaults(),
} as const satisfies Record<string, HostFault>;

export type HostFaultName = keyof typeof HOST_FAULTS;
