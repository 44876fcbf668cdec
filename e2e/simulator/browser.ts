/**
 * The browser of a simulation: storage, locks and clock, which its tabs share. A tab that is gone gets no answer any more, and
 * its locks and transactions end.
 * @module
 */
import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import * as fakeIndexedDb from "fake-indexeddb";
import type { Random } from "../../web/engine/testing/random.ts";
import { decodeParquet } from "../../web/hosts/node/parquet.ts";
import type { Host } from "./host.ts";
import type { Globals } from "./program.ts";
import type { VirtualTime } from "./virtual-time.ts";

export const PAGE = "https://host.example/map/";
export const DATASET = `${PAGE}dataset/`;

export interface Browser {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly host: Host;
  /** Cached files of the dataset by URL. */
  readonly cached: Map<string, Uint8Array>;
  quotaBytes: number;
  /** Shares of calls that fail. */
  readonly faults: { cache: number; database: number };
  readonly databases: IDBFactory;
  readonly locks: Locks;
}

/** The browser as a tab sees it. */
export interface TabPlatform {
  readonly name: string;
  isGone: boolean;
  /** Ends the tab at once, in the middle of what it does. */
  end(): void;
  readonly globals: Globals;
}

/** Returns a browser without data. */
export function createBrowser(time: VirtualTime, random: Random, host: Host): Browser {
  return {
    time,
    random,
    host,
    cached: new Map(),
    quotaBytes: Number.POSITIVE_INFINITY,
    faults: { cache: 0, database: 0 },
    databases: new fakeIndexedDb.IDBFactory(),
    locks: createLocks(time),
  };
}

export function usedBytes({ cached }: Browser): number {
  let sum = 0;
  for (const bytes of cached.values()) sum += bytes.length;
  return sum;
}

const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** Opens a tab. */
export function openPlatform(browser: Browser, name: string): TabPlatform {
  const { time, random, host, cached, faults } = browser;
  const onEnd: (() => void)[] = [];
  const platform: TabPlatform = {
    name,
    isGone: false,
    end() {
      platform.isGone = true;
      for (const each of onEnd) each();
    },
    globals: {},
  };

  /** An operation of the cache. One that the tab does not live to see does not happen. */
  function io<T>(work: () => T): Promise<T> {
    if (platform.isGone) return never();
    return new Promise((resolve, reject) => {
      time.schedule(random.between(0, 5), () => {
        if (platform.isGone) return;
        try {
          if (faults.cache > 0 && random.between(0, 1) < faults.cache)
            throw new DOMException("the cache failed", "UnknownError");
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  const cache = {
    match: (url: string) =>
      io(() => {
        const bytes = cached.get(url);
        return bytes && cachedResponse(bytes);
      }),
    put: async (url: string, response: Response) => {
      const bytes = new Uint8Array(await response.arrayBuffer());
      return io(() => {
        const others = usedBytes(browser) - (cached.get(url)?.length ?? 0);
        if (others + bytes.length > browser.quotaBytes)
          throw new DOMException("the quota is exceeded", "QuotaExceededError");
        cached.set(url, bytes);
      });
    },
    delete: (url: string) => io(() => cached.delete(url)),
    keys: () => io(() => [...cached.keys()].map((url) => ({ url }))),
  };

  const locks = browser.locks.of(platform);
  onEnd.push(locks.end);
  const databases = openDatabases(browser, platform);
  onEnd.push(databases.end);

  const own: Globals = {
    setTimeout: (run: () => void, delayMs = 0) => time.schedule(delayMs, () => platform.isGone || run()),
    clearTimeout: (timer: { isCancelled: boolean } | undefined) => {
      if (timer) timer.isCancelled = true;
    },
    performance: { now: time.nowMs },
    Date: virtualDate(time),
    crypto: cryptoOf(random),
    caches: { open: () => io(() => cache) },
    navigator: {
      locks,
      storage: {
        estimate: async () => ({
          usage: usedBytes(browser),
          ...(browser.quotaBytes === Number.POSITIVE_INFINITY ? {} : { quota: browser.quotaBytes }),
        }),
      },
    },
    indexedDB: databases.factory,
    fetch: (input: string | URL | Request, init: RequestInit = {}) => {
      if (platform.isGone) return never();
      const url = input instanceof Request ? input.url : String(input);
      return host.fetch(url.startsWith(DATASET) ? url.slice(DATASET.length) : url, init, () => platform.isGone);
    },
    BroadcastChannel: class {
      postMessage() {}
    },
    MessageChannel: class {
      port1 = { onmessage: undefined as (() => void) | undefined, close() {} };
      port2 = { postMessage: () => void time.schedule(0, () => this.port1.onmessage?.()) };
    },
  };
  // packages look for other members, and store their own
  const members = Object.getOwnPropertyDescriptors({ ...databaseClasses, ...own });
  Object.assign(platform.globals, own, { globalThis: Object.create(globalThis, members) });
  return platform;
}

const databaseClasses: Globals = Object.fromEntries(
  Object.entries(fakeIndexedDb).filter(([name]) => /^IDB/.test(name)),
);

/** All names that a tab's program gets from its platform. */
export const GLOBAL_NAMES = [
  "globalThis",
  "setTimeout",
  "clearTimeout",
  "performance",
  "Date",
  "crypto",
  "caches",
  "navigator",
  "indexedDB",
  "fetch",
  "BroadcastChannel",
  "MessageChannel",
  "Response",
  "decodeParquet",
  "process",
  "location",
  "console",
  ...Object.keys(databaseClasses),
];

/**
 * Returns globals that lead to the platform that `current` returns: a program is started once, and used by one tab after
 * another.
 */
export function forwardedGlobals(current: () => TabPlatform): Globals {
  const get = (name: string) => current().globals[name];
  const call =
    (name: string) =>
    (...args: unknown[]) =>
      (get(name) as (...args: unknown[]) => unknown)(...args);
  const follow = (name: string): object =>
    new Proxy(
      {},
      {
        get: (_, member) => Reflect.get(get(name) as object, member),
        has: (_, member) => Reflect.has(get(name) as object, member),
      },
    );
  const build = (name: string) =>
    new Proxy(class {}, {
      construct: (_, args) => Reflect.construct(get(name) as new () => object, args),
      get: (_, member) => Reflect.get(get(name) as object, member),
    });
  const calls = Object.fromEntries(["setTimeout", "clearTimeout", "fetch"].map((name) => [name, call(name)]));
  const objects = Object.fromEntries(
    ["globalThis", "performance", "crypto", "caches", "navigator", "indexedDB"].map((name) => [name, follow(name)]),
  );
  const classes = Object.fromEntries(["Date", "BroadcastChannel", "MessageChannel"].map((name) => [name, build(name)]));
  const location = { origin: new URL(PAGE).origin };
  const quiet = { ...console, error() {}, warn() {} };
  const others = { Response: TabResponse, decodeParquet, location, console: quiet };
  return { ...databaseClasses, ...calls, ...objects, ...classes, ...others };
}

/** A response to store is only bytes: a real one takes a tenth of a millisecond. */
const TabResponse = new Proxy(Response, {
  construct: (target, args: ConstructorParameters<typeof Response>) => {
    const [body] = args;
    if (args.length > 1 || !(body instanceof Uint8Array)) return new target(...args);
    return { arrayBuffer: async () => Uint8Array.from(body).buffer };
  },
});

function cachedResponse(bytes: Uint8Array): object {
  return {
    ok: true,
    arrayBuffer: async () => Uint8Array.from(bytes).buffer,
    blob: async () => ({
      size: bytes.length,
      slice: (start: number, end: number) => ({ arrayBuffer: async () => bytes.slice(start, end).buffer }),
    }),
  };
}

function virtualDate(time: VirtualTime): DateConstructor {
  /** Tests of a clock are elsewhere: here it only has to be the same on each run. */
  const START_MS = Date.UTC(2026, 10, 29);
  return class extends Date {
    constructor(...args: [] | [number | string]) {
      super(args.length === 0 ? START_MS + time.nowMs() : args[0]);
    }
    static override now() {
      return START_MS + time.nowMs();
    }
  } as unknown as DateConstructor;
}

/** WebCrypto that answers at once: the real one uses threads, whose order is random. */
function cryptoOf(random: Random) {
  let ids = 0;
  return {
    randomUUID: () => `area-${ids++}-${random.below(1e9)}`,
    getRandomValues(values: Uint32Array) {
      for (const index of values.keys()) values[index] = random.below(2 ** 32);
      return values;
    },
    subtle: {
      digest: async (_: string, bytes: Uint8Array) =>
        Uint8Array.from(createHash("sha256").update(bytes).digest()).buffer,
      importKey: async (_: string, bytes: Uint8Array): Promise<KeyObject> => {
        const x = Buffer.from(bytes).toString("base64url");
        return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
      },
      verify: async (_: object, key: KeyObject, signature: Uint8Array, data: Uint8Array) =>
        verify(null, data, key, signature),
    },
  };
}

interface LockRequest {
  readonly name: string;
  readonly isShared: boolean;
  readonly owner: TabPlatform;
  readonly begin: () => void;
}

export type Locks = ReturnType<typeof createLocks>;

/** Web Locks over all tabs, granted in the order of the requests. */
function createLocks(time: VirtualTime) {
  let held: LockRequest[] = [];
  let waiting: LockRequest[] = [];
  const mayBegin = ({ name, isShared }: LockRequest) =>
    held.every((other) => other.name !== name || (isShared && other.isShared));

  function next(): void {
    for (const request of [...waiting]) {
      const isFirst = waiting.find(({ name }) => name === request.name) === request;
      if (!isFirst || !mayBegin(request)) continue;
      waiting = waiting.filter((other) => other !== request);
      held.push(request);
      time.schedule(0, () => request.owner.isGone || request.begin());
    }
  }

  return {
    names: () => held.map(({ name }) => name),
    of: (owner: TabPlatform) => ({
      async request<T>(name: string, ...args: readonly unknown[]): Promise<T> {
        if (owner.isGone) return never();
        const work = args.at(-1) as (lock: object | null) => Promise<T>;
        const { mode, ifAvailable = false } = (args.length > 1 ? args[0] : {}) as LockOptions;
        const isTaken = [...held, ...waiting].some((other) => other.name === name);
        if (ifAvailable && isTaken) return work(null);
        let request: LockRequest | undefined;
        await new Promise<void>((begin) => {
          request = { name, isShared: mode === "shared", owner, begin };
          waiting.push(request);
          next();
        });
        try {
          return await work({});
        } finally {
          held = held.filter((other) => other !== request);
          next();
        }
      },
      async query() {
        return { held: held.map(({ name }) => ({ name })) };
      },
      end() {
        held = held.filter((other) => other.owner !== owner);
        waiting = waiting.filter((other) => other.owner !== owner);
        next();
      },
    }),
  };
}

type DatabaseCall = "open" | "transaction" | "get" | "put" | "delete" | "commit";

const CALLS = { get: "get", getAll: "get", put: "put", delete: "delete" } as const satisfies Record<
  string,
  DatabaseCall
>;
/** A database of version 2: opening it as version 1 fails. */
const NEWER = "newer";

/** IndexedDB of a tab, over the databases of the browser. Calls fail as in a browser. */
function openDatabases(browser: Browser, platform: TabPlatform) {
  const { databases, random, faults } = browser;
  const connections = new Set<IDBDatabase>();
  const transactions = new Set<IDBTransaction>();
  const fails = () => faults.database > 0 && random.between(0, 1) < faults.database;

  function watch(database: IDBDatabase): void {
    connections.add(database);
    const begin = database.transaction.bind(database);
    database.transaction = (...args) => {
      if (fails()) throw new DOMException("transaction refused", "UnknownError");
      const transaction = begin(...args);
      transactions.add(transaction);
      const leave = () => transactions.delete(transaction);
      transaction.addEventListener("complete", leave);
      transaction.addEventListener("abort", leave);
      watchRequests(transaction);
      return transaction;
    };
  }

  function watchRequests(transaction: IDBTransaction): void {
    const storeOf = transaction.objectStore.bind(transaction);
    let open = 0;
    transaction.objectStore = (name) => {
      const store = storeOf(name);
      for (const method of Object.keys(CALLS)) {
        const send: (...args: unknown[]) => IDBRequest = Reflect.get(store, method).bind(store);
        Reflect.set(store, method, (...args: unknown[]) => {
          const request = send(...args);
          open++;
          if (fails()) queueMicrotask(() => undo(transaction));
          request.addEventListener("success", () => {
            open--;
            // undoes the writes, as on a full disk
            if (open === 0 && transaction.mode === "readwrite" && fails()) undo(transaction);
          });
          return request;
        });
      }
      return store;
    };
  }

  return {
    factory: {
      open(name: string, version?: number): IDBOpenDBRequest {
        // a request that is never answered
        if (platform.isGone || (fails() && random.below(4) === 0)) return new fakeIndexedDb.IDBOpenDBRequest();
        if (fails()) {
          databases.open(NEWER, 2);
          return databases.open(NEWER, 1);
        }
        const request = databases.open(name, version);
        request.addEventListener("success", () => {
          if (platform.isGone) request.result.close();
          else watch(request.result);
        });
        return request;
      },
    },
    end() {
      for (const transaction of transactions) undo(transaction);
      for (const connection of connections) connection.close();
    },
  };
}

function undo(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // the transaction has already ended
  }
}
