/**
 * A dataset, open for searches.
 * @module
 */
import type { Table } from "apache-arrow";
import type { CollectionName } from "../../data/format/collections.ts";
import type { Manifest } from "../../data/format/manifest.ts";
import type { Facet } from "../../data/format/terms.ts";
import { FetchError, ManifestError } from "./contract/errors.ts";
import type { ByteSource, Database, DecodeParquet } from "./contract/ports.ts";
import type {
  BoxQuery,
  BoxResult,
  FacetCount,
  Feature,
  Grouping,
  GroupResult,
  Query,
  SearchResult,
  Shape,
  ShapeQuery,
} from "./contract/query.ts";
import type { ListedPartition, PartitionList, WantedRows } from "./contract/row-condition.ts";
import { countFacet } from "./facet-counts.ts";
import { findRow, type Position } from "./find-run.ts";
import { groupRows, readCounts } from "./groups.ts";
import { type ManifestFile, readKeptManifest, readManifest } from "./index-tree/files.ts";
import { type Near, prefetchIndex } from "./index-tree/prefetch-index.ts";
import { type RowBox, type RowBoxesOptions, rowBoxes } from "./index-tree/row-boxes.ts";
import type { PartitionRef } from "./index-tree/tree.ts";
import { listPartitions } from "./list-partitions.ts";
import { createExecutors, scan } from "./order/scan.ts";
import { searchBox } from "./place/search-box.ts";
import { searchShapes } from "./place/search-shapes.ts";
import { featureJsonOf } from "./records/feature-json.ts";
import { featuresOf } from "./records/features.ts";
import { everythingOf, searchOrdered, searchRows } from "./search.ts";
import { createCache, type From } from "./store/cache.ts";
import { MAX_DECODED_BYTES, readParquetSize } from "./store/parquet-size.ts";
import { openPartition, type Partition } from "./store/partition.ts";
import { openSession, type Session } from "./store/session.ts";
import { createShelves } from "./store/shelves.ts";
import { type SuggestQuery, suggest } from "./suggest/suggest.ts";
import type { CategoryWords } from "./suggest/suggest-categories.ts";
import type { Suggestion } from "./suggest/suggestion.ts";
import { createMemo, withOwnSignal } from "./tasks/memo.ts";

/** A few hundred partitions of 2,048 rows, well below what a browser gives a page. */
const DEFAULT_CACHE_BYTES = 512 * 1024 * 1024;

/** The index of some million rows; half of it where the host compresses. */
const DEFAULT_PREFETCH_BYTES = 512 * 1024;

export interface DatasetOptions {
  readonly source: ByteSource;
  readonly decode: DecodeParquet;
  /** Bytes that `decode` has to fetch before it can read: none when left out. */
  readonly decodeBytes?: (() => number) | undefined;
  /** Starts the database that `sql` needs; called at most once at a time, when the first search wants it. */
  readonly database?: (() => Promise<Database>) | undefined;
  /** Who orders rows: `scan`, a loop, when left out. */
  readonly executor?: "scan" | "sql";
  /** Memory for what is read, in bytes; 512 MiB when left out. */
  readonly cacheBytes?: number;
  /**
   * Manifests of releases whose files are kept as a fallback, the newest first. When the host does not answer, a search that lacks a
   * file of the present release is answered from the first of these that has all it needs; its report says which.
   */
  readonly keptManifests?: (() => Promise<readonly Manifest[]>) | undefined;
  /**
   * Maximum age of the manifest, in milliseconds. The next search after that refreshes it in the background and still uses the old
   * one. When left out, the manifest is never refreshed: the caller stays on one release.
   */
  readonly manifestMaxAgeMs?: number;
  /** Loads what categories are called in a language, a code without a region; undefined where that is not known. Called for the language of a text. */
  readonly categoryWords?: ((language: string) => Promise<CategoryWords | undefined>) | undefined;
}

export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

export interface SearchOptions extends Abortable {
  /** An older release that the manifest names among those kept, in place of the present one: `ManifestError` when it does not. */
  readonly release?: string | undefined;
}

export interface FindOptions extends Abortable {
  /** Where the feature is, if that is known: there it is found when the index of ids cannot be read. */
  readonly near?: Position | undefined;
}

export interface Dataset {
  /** The manifest that searches use; read when first asked for. */
  manifest(signal?: AbortSignal): Promise<Manifest>;
  /**
   * Answers a query from one release, whole or not at all: `FetchError` or `ManifestError` when a file cannot be had
   * or is damaged, `DecodeError` when there is no memory for one.
   */
  search(query: Query, options?: SearchOptions): Promise<SearchResult>;
  /** Rows to draw. Throws as `search` does. */
  inBox(query: BoxQuery, options?: Abortable): Promise<BoxResult>;
  /** Shapes to draw, each with its value of the facet, in no order; undefined where they take more bytes than they may. Throws as `search` does. */
  shapesIn(query: ShapeQuery, options?: Abortable): Promise<readonly Shape[] | undefined>;
  /** The feature with this id, of the first of the collections that has one; undefined when none has. */
  find(collections: readonly CollectionName[], id: string, options?: FindOptions): Promise<Feature | undefined>;
  /** Counts all rows that match by what they have in common, the groups with most rows first; offset and limit are in groups. Without conditions, all rows. */
  group(query: Query, by: Grouping, options?: Abortable): Promise<GroupResult>;
  /**
   * The values that the facet has among all rows that match, each with the rows that a filter of it alone finds among them, most first. A row
   * counts under each of its values. Without conditions, of all rows; offset and limit are not looked at.
   */
  facet(query: Query, facet: Facet, options?: Abortable): Promise<readonly FacetCount[]>;
  /** What a person who types this text may mean, best first; none for a text without a letter or digit. */
  suggest(query: SuggestQuery, options?: Abortable): Promise<readonly Suggestion[]>;
  /**
   * Prefetches index pages, which saves later searches in a circle a round trip: first the pages for a circle of 1 km around `near`, then as much of the whole
   * index as fits into `maxBytes` (512 KiB when left out). Throws `FetchError` when a file cannot be fetched; a later search requests it again.
   */
  prefetchIndex(options?: {
    readonly maxBytes?: number | undefined;
    readonly near?: Near | undefined;
    readonly signal?: AbortSignal | undefined;
  }): Promise<void>;
  /** Boxes in which the collections have rows, from the index alone. Throws as `search` does. */
  rowBoxes(collections: readonly CollectionName[], options: RowBoxesOptions & Abortable): Promise<readonly RowBox[]>;
  /** The partitions of the primary copy that can hold wanted rows, all of one release; no row of them is read. */
  partitions(wanted: readonly WantedRows[], options?: Abortable): Promise<PartitionList>;
  /** The rows of a partition that `partitions` told of, in one record batch. Throws as `search` does. */
  partitionTable(partition: ListedPartition, options?: Abortable): Promise<Table>;
  /** Reads the manifest anew. Searches under way keep theirs; when it cannot be had, so do those to come. */
  refresh(signal?: AbortSignal): Promise<Manifest>;
  /** Bytes of what was read in memory: between searches at most `cacheBytes`. */
  heldBytes(): number;
}

interface Work<T> {
  readonly work: (session: Session) => Promise<T>;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
}

/** Opens a dataset. Nothing is read before it is needed. */
export function openDataset(options: DatasetOptions): Dataset {
  const {
    source,
    decode,
    decodeBytes = () => 0,
    cacheBytes = DEFAULT_CACHE_BYTES,
    keptManifests,
    manifestMaxAgeMs = Infinity,
  } = options;
  const manifests = createMemo<ManifestFile>();
  const olderManifests = createMemo<ManifestFile>();
  const words = createMemo<CategoryWords | undefined>();
  const executors = createExecutors(options);
  const cache = createCache(cacheBytes);
  const shelves = createShelves(cache);
  let current: ManifestFile | undefined;
  let askedAtMs = 0;

  async function decodePartition(
    { collection, node }: PartitionRef<"location">,
    slice: Uint8Array,
  ): Promise<Partition> {
    const claimed = readParquetSize(slice);
    if (claimed.rows !== node.rows) throw new Error(`it holds ${claimed.rows} rows, expected ${node.rows}`);
    if (claimed.bytes > MAX_DECODED_BYTES) {
      throw new Error(`it holds ${claimed.bytes} bytes uncompressed, expected at most ${MAX_DECODED_BYTES}`);
    }
    return openPartition(collection, node, await decode(slice));
  }

  async function refresh(signal?: AbortSignal): Promise<ManifestFile> {
    askedAtMs = performance.now();
    const latest = await manifests.get("latest", (workSignal) => readManifest(source, workSignal), signal);
    manifests.delete("latest");
    current = latest;
    return latest;
  }

  /** Does work on one release, whose pages and partitions stay in memory until it is done. */
  async function workOn<T>(file: ManifestFile, from: From, { work, signal }: Work<T>): Promise<T> {
    const lease = cache.lease();
    try {
      return await withOwnSignal(signal, (own) =>
        work(openSession({ file, from, source, lease, shelves, decode: decodePartition, decodeBytes, signal: own })),
      );
    } finally {
      lease.end();
    }
  }

  /**
   * Does work on the release of the moment. When one of its files is gone and another release has taken its place, the
   * work is done once more, on that one.
   */
  async function onPresentRelease<T>(asked: Work<T>): Promise<T> {
    const { signal } = asked;
    const from = current ? "memory" : "source";
    const file = current ?? (await refresh(signal));
    // in the background; a refresh that fails is tried again after as long
    if (performance.now() - askedAtMs >= manifestMaxAgeMs) refresh().catch(() => {});
    try {
      return await workOn(file, from, asked);
    } catch (error) {
      if (!(error instanceof FetchError) || signal?.aborted) throw error;
      const latest = await refresh(signal).catch(() => file);
      if (JSON.stringify(latest.manifest) === JSON.stringify(file.manifest)) throw error;
      return workOn(latest, "source", asked);
    }
  }

  /** Does work on the present release, and when nobody answers on the releases that are kept. */
  async function withSession<T>(signal: AbortSignal | undefined, work: (session: Session) => Promise<T>): Promise<T> {
    const asked = { work, signal };
    try {
      return await onPresentRelease(asked);
    } catch (error) {
      if (!(error instanceof FetchError) || !error.isUnanswered || signal?.aborted) throw error;
      for (const manifest of (await keptManifests?.()) ?? []) {
        try {
          return await workOn({ manifest, sizeBytes: 0 }, "memory", asked);
        } catch (again) {
          if (!(again instanceof FetchError) || signal?.aborted) throw again;
        }
      }
      throw error;
    }
  }

  /** Does work on an older release that the dataset keeps. What both releases have is in memory once. */
  async function onKeptRelease<T>(release: string, asked: Work<T>): Promise<T> {
    const { kept = [] } = (current ?? (await refresh(asked.signal))).manifest;
    const wanted = kept.find((each) => each.release === release);
    if (!wanted) throw new ManifestError(`${source.name} keeps no release ${release}`);
    const from = olderManifests.peek(wanted.sha256) ? "memory" : "source";
    const read = (signal: AbortSignal): Promise<ManifestFile> => readKeptManifest(source, wanted, signal);
    return workOn(await olderManifests.get(wanted.sha256, read, asked.signal), from, asked);
  }

  /** In an incomplete answer none where they cannot be read. */
  async function categoryWordsFor(
    { language = "en", onMissing }: SuggestQuery,
    signal: AbortSignal | undefined,
  ): Promise<CategoryWords | undefined> {
    const [code = language] = language.split("-");
    try {
      return await words.get(code, async () => options.categoryWords?.(code), signal);
    } catch (error) {
      if (!onMissing || !(error instanceof FetchError) || signal?.aborted) throw error;
      onMissing();
      return undefined;
    }
  }

  return {
    manifest: async (signal) => (current ?? (await refresh(signal))).manifest,
    search(query, { signal: caller, release } = {}) {
      const { order } = query;
      const work = async (session: Session): Promise<SearchResult> => {
        const { total, rows, report } = await executors.run(
          (executor) =>
            order ? searchOrdered(session, { ...query, order }, executor) : searchRows(session, query, executor),
          session.signal,
        );
        return {
          total,
          length: rows.length,
          features: (properties) => featuresOf(rows, properties),
          json: (options) => featureJsonOf(rows, options),
          report,
        };
      };
      return release === undefined ? withSession(caller, work) : onKeptRelease(release, { work, signal: caller });
    },
    inBox: (query, { signal } = {}) =>
      withSession(signal, async (session) => {
        const { rows, leftOut } = await searchBox(session, query);
        return {
          length: rows.length,
          leftOut,
          features: (properties) => featuresOf(rows, properties),
          release: session.manifest.release,
        };
      }),
    shapesIn: (query, { signal } = {}) => withSession(signal, (session) => searchShapes(session, query)),
    find: (collections, id, { signal, near } = {}) =>
      withSession(signal, async (session) => {
        const row = await findRow(session, { collections, id, near });
        const [feature] = row ? featuresOf([row]) : [];
        return feature;
      }),
    group: (query, by, { signal } = {}) =>
      withSession(signal, async (session) => {
        const ready = await readCounts(session, query, by);
        if (ready) return ready;
        const { rows } = await searchRows(session, everythingOf(query), scan);
        const groups = await groupRows(rows, by);
        return { total: groups.length, groups: groups.slice(query.offset, query.offset + query.limit) };
      }),
    facet: (query, facet, { signal } = {}) => withSession(signal, (session) => countFacet(session, query, facet)),
    async suggest(query, { signal } = {}) {
      const categoryWords = query.categoryWords ?? (await categoryWordsFor(query, signal));
      return withSession(signal, async (session) =>
        suggest(session, { ...query, categoryWords }, async (asked) => (await searchRows(session, asked, scan)).rows),
      );
    },
    prefetchIndex: ({ maxBytes = DEFAULT_PREFETCH_BYTES, near, signal: caller } = {}) =>
      onPresentRelease({ work: (session) => prefetchIndex(session, { maxBytes, near }), signal: caller }),
    rowBoxes: (collections, { maxBytes, signal }) =>
      withSession(signal, (session) => rowBoxes(session, collections, { maxBytes })),
    partitions: (wanted, { signal } = {}) => withSession(signal, (session) => listPartitions(session, wanted)),
    partitionTable: ({ collection, node }, { signal } = {}) =>
      withSession(
        signal,
        async (session) => (await session.readPartition({ collection, run: "location", node })).table,
      ),
    refresh: async (signal) => (await refresh(signal)).manifest,
    heldBytes: cache.heldBytes,
  };
}
