/**
 * A host and the network to it, where anything can go wrong.
 * @module
 */

export interface Asked {
  /** The right bytes. */
  readonly file: Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal | null;
}

/** What is answered instead of the file; a throw is a network that fails. */
export type HostFault = (asked: Asked) => Response | Promise<Response>;

export interface FaultyHost {
  /** What is published, by path. */
  files: ReadonlyMap<string, Uint8Array>;
  /** Paths asked for, in order. */
  readonly asked: string[];
  readonly fetch: typeof fetch;
  /** Called with the path before each answer, which waits for it. */
  onAsked: (path: string) => unknown;
  /** Answers the next `times` requests for paths that match by the fault; all, when left out. */
  fail(path: RegExp, fault: HostFault, times?: number): void;
  heal(): void;
}

/** A host below this URL. */
export function faultyHost(base: string, files: ReadonlyMap<string, Uint8Array>): FaultyHost {
  let failing: { readonly path: RegExp; readonly fault: HostFault; left: number } | undefined;
  const host: FaultyHost = {
    files,
    asked: [],
    onAsked: () => {},
    async fetch(input, { signal = null } = {}) {
      const path = String(input).slice(base.length);
      host.asked.push(path);
      await host.onAsked(path);
      signal?.throwIfAborted();
      const found = host.files.get(path);
      const file = Uint8Array.from(found ?? []);
      if (failing?.path.test(path) && failing.left-- > 0) return failing.fault({ file, signal });
      return found ? new Response(file) : new Response("not found", { status: 404 });
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

/** The answer of a host that the network was redirected to. */
function redirected(response: Response): Response {
  return Object.defineProperty(response, "redirected", { value: true });
}

/** What hosts and networks do to a file, by name. */
export const HOST_FAULTS = {
  offline: () => {
    throw new TypeError("Failed to fetch");
  },
  slow: async ({ file }) => {
    await new Promise((resolve) => setTimeout(resolve, 25));
    return new Response(file);
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
  "cut short": (asked) => new Response(half(asked)),
  "one byte changed": ({ file }) => new Response(file.with(file.length >> 1, (file[file.length >> 1] ?? 0) ^ 1)),
  "too long": ({ file }) => new Response(new Blob([file, file])),
  "a length header that is wrong": ({ file }) => new Response(file, { headers: { "Content-Length": "7" } }),
  "redirected to the file": ({ file }) => redirected(new Response(file)),
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
    return new Response(body);
  },
} as const satisfies Record<string, HostFault>;

export type HostFaultName = keyof typeof HOST_FAULTS;
