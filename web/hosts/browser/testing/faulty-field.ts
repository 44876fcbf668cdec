/**
 * The way of a file as the page has it, from host to engine, with faults on every part of it.
 * @module
 */
import { type Dataset, type DatasetOptions, openDataset } from "../../../engine/dataset.ts";
import type { Database, DecodeParquet } from "../../../engine/ports.ts";
import { httpSource } from "../../http/http-source.ts";
import { cacheFiles } from "../cache/cache-files.ts";
import { outageAware } from "../cache/cache-outage.ts";
import { cacheSource } from "../cache/cache-source.ts";
import { createUseKeeper, type Use } from "../cache/cache-uses.ts";
import { type FaultyHost, faultyHost } from "./faulty-host.ts";

/** Long beside what tests wait for, short to wait for. */
const STALL_MS = 40;
export interface FaultyField {
  readonly host: FaultyHost;
  /** Called before each file is decoded; may throw. */
  onDecode: () => void;
  /** Called before each call of the database; may throw. */
  onDatabase: () => void;
  /** Makes room as the page does after a search. */
  evictSeen(): Promise<void>;
  /** As a page that was just opened. */
  open(options?: Pick<DatasetOptions, "cacheBytes" | "executor" | "mostLoopedRows">): Dataset;
  /** Ends all faults of host, decoder and database. */
  heal(): void;
}

export interface FieldOptions {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly decode: DecodeParquet;
  readonly startDatabase?: () => Promise<Database>;
  /** Of seen files, kept at most; all when left out. */
  readonly seenCapBytes?: number;
}

const BASE = "https://host.example/dataset/";
const nothing = () => {};

/** A host with these files, and what reads them. Kept files go to the global `caches`. */
export function faultyField(options: FieldOptions): FaultyField {
  const { files, decode, startDatabase, seenCapBytes = Number.POSITIVE_INFINITY } = options;
  const host = faultyHost(BASE, files);
  const cache = cacheFiles(new URL(BASE));
  const uses = new Map<string, Use>();
  const seen = createUseKeeper({
    log: {
      uses: async () => [...uses.values()],
      async write(list) {
        for (const use of list) uses.set(use.path, use);
      },
      async forget(paths) {
        for (const path of paths) uses.delete(path);
      },
    },
    remove: cache.remove,
    pinned: async () => new Set(),
    capBytes: async () => seenCapBytes,
  });
  const over = (retryDelaysMs: readonly number[]) =>
    httpSource(BASE, { fetch: host.fetch, retryDelaysMs, stallMs: STALL_MS });

  const field: FaultyField = {
    host,
    onDecode: nothing,
    onDatabase: nothing,
    evictSeen: () => seen.evict(),
    open(openOptions) {
      const source = cacheSource({
        inner: outageAware(over([0, 0]), over([])),
        files: cache,
        onUse: (path, bytes) => seen.note(path, bytes),
        makeRoom: () => seen.evict(0),
      });
      return openDataset({
        source,
        decode(bytes) {
          field.onDecode();
          return decode(bytes);
        },
        ...(startDatabase ? { database: async () => faultyDatabase(await startDatabase(), field) } : {}),
        ...openOptions,
      });
    },
    heal() {
      host.heal();
      field.onDecode = nothing;
      field.onDatabase = nothing;
    },
  };
  return field;
}

function faultyDatabase(inner: Database, field: FaultyField): Database {
  return {
    async insert(name, table) {
      field.onDatabase();
      await inner.insert(name, table);
    },
    async drop(name) {
      field.onDatabase();
      await inner.drop(name);
    },
    async query(sql, values) {
      field.onDatabase();
      return inner.query(sql, values);
    },
  };
}
