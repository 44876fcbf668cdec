/**
 * The browser of a simulation: storage, locks and clock, which its tabs share. A tab that is gone gets no answer any more, and
 * its locks and transactions end.
 * @module
 */
import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import * as fakeIndexedDb from "fake-indexeddb";
import type { Random } from "../../web/engine/testing/random.ts";
import { faultyIndexedDb } from "../../web/hosts/browser/testing/faulty-indexed-db.ts";
import { type SharedLocks, sharedLocks } from "../../web/hosts/browser/testing/shared-locks.ts";
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
  readonly locks: SharedLocks;
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
    locks: sharedLocks((begin) => time.schedule(0, begin)),
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

  const locks = browser.locks.openTab();
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

/** IndexedDB of a tab, over the databases of the browser. Calls fail as in a browser, or are never answered. */
function openDatabases({ databases, random, faults }: Browser, platform: TabPlatform) {
  const own = faultyIndexedDb(databases);
  const fails = () => faults.database > 0 && random.between(0, 1) < faults.database;
  own.onOperation = (operation) => {
    if (fails()) throw new DOMException(`${operation} failed`, "UnknownError");
  };
  return {
    factory: {
      open(name: string, version?: number): IDBOpenDBRequest {
        const isSilent = platform.isGone || (fails() && random.below(4) === 0);
        return isSilent ? new fakeIndexedDb.IDBOpenDBRequest() : own.factory.open(name, version);
      },
    },
    end: own.end,
  };
}
