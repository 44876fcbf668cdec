/**
 * A dataset, open for searches.
 * @module
 */
import type { Table } from "apache-arrow";
import type { Collection, CollectionName } from "../../data/format/collections.ts";
import type { KeptRelease, Manifest } from "../../data/format/manifest.ts";
import type { Facet } from "../../data/format/terms.ts";
import { countRows } from "./cell-counts.ts";
import { FetchError, ReleaseError } from "./contract/errors.ts";
import type { ByteSource, DecodeParquet } from "./contract/ports.ts";
import type {
  BoxQuery,
  BoxResult,
  CountQuery,
  CountResult,
  FacetCount,
  Feature,
  Grouping,
  GroupResult,
  LocatedRows,
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
import { type Near, prefetchIndex, prefetchNear } from "./index-tree/prefetch-index.ts";
import { type RowBox, type RowBoxesOptions, rowBoxes } from "./index-tree/row-boxes.ts";
import type { PartitionRef } from "./index-tree/tree.ts";
import { listPartitions } from "./list-partitions.ts";
import { searchBox } from "./location/search-box.ts";
import { searchShapes } from "./location/search-shapes.ts";
import { featureJsonOf } from "./records/feature-json.ts";
import { featuresOf } from "./records/features.ts";
import { everythingOf, locateRows, searchOrdered, searchRows } from "./search.ts";
import { prefetchRecords } from "./store/addressed-rows.ts";
import { createCache, type From } from "./store/cache.ts";
import { createCacheSections } from "./store/cache-sections.ts";
import { MAX_DECODED_BYTES, readParquetSize } from "./store/parquet-size.ts";
import { openPartition, type Partition } from "./store/partition.ts";
import { openSession, type Session } from "./store/session.ts";
import {
  allLanguages,
  type CategoryQuery,
  categoriesMeant,
  type MeaningOptions,
  meaningLoader,
  ownLanguage,
} from "./suggest/load-meanings.ts";
import { type SuggestQuery, suggest } from "./suggest/suggest.ts";
import type { Suggestion } from "./suggest/suggestion.ts";
import type { PlanTable } from "./table/read-table.ts";
import type { TableQuery } from "./table/wanted.ts";
import { createMemo, withOwnSignal } from "./tasks/memo.ts";

/** A few hundred partitions of 2,048 rows, well below the limit of a page in a browser. */
const DEFAULT_CACHE_BYTES = 512 * 1024 * 1024;

/** The index for searches by location of about three million places. */
const DEFAULT_PREFETCH_BYTES = 512 * 1024;

export interface DatasetOptions extends MeaningOptions {
  readonly source: ByteSource;
  readonly decode: DecodeParquet;
  /** Reads column tables. Without it, searches read records instead. */
  readonly planTable?: PlanTable | undefined;
  /** Bytes that `decode` must fetch before it can read. Default: none. */
  readonly decodeBytes?: (() => number) | undefined;
  /** Limit on cached data, in bytes. Default: 512 MiB. */
  readonly cacheBytes?: number;
  /**
   * Manifests of releases stored as a fallback, newest first. When the host does not answer, a search that lacks a
   * file of the current release is answered from the first of these that has all it needs; its report names it.
   */
  readonly keptManifests?: (() => Promise<readonly Manifest[]>) | undefined;
  /**
   * Maximum age of the manifest in milliseconds. The next search after that refreshes it in the background and still
   * uses the old one. Default: never refreshed, so that the caller stays on one release.
   */
  readonly manifestMaxAgeMs?: number;
}

interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

/** Rows from a column table. */
export interface TableAnswer {
  readonly release: string;
  /** Upper bound of the number of rows. */
  readonly mostRows: number;
  /** Bytes that all pages take; `requests` is the number of their requests. */
  readonly bytes: number;
  readonly requests: number;
  pages(signal?: AbortSignal): AsyncGenerator<Pick<SearchResult, "length" | "features" | "json">>;
}

export interface ReleaseOptions extends Abortable {
  /** Name of the release: the current one, or an older one whose files are available. Default: the current one. */
  readonly release?: string | undefined;
}

export interface FindOptions extends Abortable {
  /** Position of the feature, if known. The feature is searched there when the index of ids cannot be read. */
  readonly near?: Position | undefined;
}

interface MeantCategory {
  readonly id: string;
  readonly rows: number;
  /** Words of the text that it does not use, folded. */
  readonly unused: readonly string[];
}

export interface Dataset {
  /** Returns the manifest that searches use; reads it on first use. */
  manifest(signal?: AbortSignal): Promise<Manifest>;
  /**
   * Answers a query completely from one release. Throws `FetchError` or `ManifestError` when a file is missing or damaged, and
   * `DecodeError` when it cannot be decoded. Throws `AreaTooLargeError` for an area that takes too long, `TooManyRowsError`
   * above `maxTestedRows`, and `EngineError` for a query without a condition.
   */
  search(query: Query, options?: Abortable): Promise<SearchResult>;
  /**
   * Returns the number of matching rows, and their geometries if they are at most `maxRows`. With a circle or an area it
   * reads no rows. Ignores `offset` and `limit`. Throws like `search`.
   */
  locate(query: Query, options: Abortable & { readonly maxRows: number }): Promise<LocatedRows>;
  /**
   * Returns the rows whose bbox meets a box. If all of them take more than `maxBytes`, returns a share from everywhere in the
   * box. A row wider than half the earth may be left out where it has no geometry. Throws like `search`.
   */
  inBox(query: BoxQuery, options?: Abortable): Promise<BoxResult>;
  /**
   * Returns shapes to draw with their facet values, in no order; undefined when they need more bytes than allowed.
   * Throws like `search`.
   */
  shapesIn(query: ShapeQuery, options?: Abortable): Promise<readonly Shape[] | undefined>;
  /**
   * Returns all rows of a query from a column table, in the order of ids; undefined if the dataset has no table that can
   * answer, or the host cannot read tables. Throws like `search`, also while the pages are read.
   */
  table(query: TableQuery, options?: Abortable): Promise<TableAnswer | undefined>;
  /**
   * Returns the feature with this id from the first collection that has it; undefined for an unknown id. Ids are compared
   * exactly. Throws like `search`.
   */
  find(collections: readonly CollectionName[], id: string, options?: FindOptions): Promise<Feature | undefined>;
  /**
   * Counts matching rows by a common value, largest groups first. `offset` and `limit` count groups. Without
   * conditions it counts all rows.
   */
  group(query: Query, by: Grouping, options?: Abortable): Promise<GroupResult>;
  /**
   * Returns the values of a facet among matching rows, each with the number of rows that a filter on it alone finds,
   * largest first. A row counts for each of its values. Without conditions it counts all rows. Ignores `offset` and
   * `limit`.
   */
  facet(query: Query, facet: Facet, options?: Abortable): Promise<readonly FacetCount[]>;
  /**
   * Counts matching rows exactly, most of them without reading them. Throws `CountLimitError` when that takes more than
   * allowed.
   */
  count(query: CountQuery, options?: Abortable): Promise<CountResult>;
  /**
   * Returns suggestions for a typed text, best first, at most `limit`; empty for a text without a letter or digit. Throws like
   * `search`. With `onMissing`, most files that cannot be read are left out instead.
   */
  suggest(query: SuggestQuery, options?: Abortable): Promise<readonly Suggestion[]>;
  /** Returns those of the categories that a text means, by their names or by what people want to do there, best first. */
  categoriesMeant(query: CategoryQuery, options?: Abortable): Promise<readonly MeantCategory[]>;
  /**
   * Prefetches index pages. This saves later searches in a circle a round trip. It reads the pages for a circle of 1 km
   * around `near`, then as much of the whole index as fits into `maxBytes` (default 512 KiB). Throws `FetchError`
   * when a file cannot be fetched. A later search requests it again.
   */
  prefetchIndex(options?: {
    readonly maxBytes?: number | undefined;
    readonly near?: Near | undefined;
    readonly signal?: AbortSignal | undefined;
  }): Promise<void>;
  /** Returns boxes in which the collections have rows, from the index alone. Throws like `search`. */
  rowBoxes(collections: readonly CollectionName[], options: RowBoxesOptions & Abortable): Promise<readonly RowBox[]>;
  /**
   * Returns the partitions of the primary copy that can contain wanted rows, all of one release. Reads no rows. Throws
   * `EngineError` for a collection that the dataset does not have.
   */
  partitions(wanted: readonly WantedRows[], options?: Abortable): Promise<PartitionList>;
  /** Returns the rows of a partition from `partitions`, in one record batch. Throws like `search`. */
  partitionTable(partition: ListedPartition, options?: Abortable): Promise<Table>;
  /**
   * Runs `work` on one release: all methods of the dataset that it receives use this release. Without `release`, runs it
   * again on another release when this one was replaced or no host answers. Throws `ReleaseError` when `release` is not
   * available.
   */
  onRelease<T>(work: (dataset: Dataset) => Promise<T>, options?: ReleaseOptions): Promise<T>;
  /**
   * Reads the manifest again. Running searches continue with the old one. If reading fails, it rejects and later searches use the
   * old one too.
   */
  refresh(signal?: AbortSignal): Promise<Manifest>;
  /** Bytes of cached data: between searches at most `cacheBytes`. */
  heldBytes(): number;
}

type Methods = Omit<Dataset, "manifest" | "onRelease" | "refresh" | "heldBytes">;

/** Uses a release, whose manifest was read from `from`. */
type Attempt<T> = (file: ManifestFile, from: From) => Promise<T>;

/** An unknown release refreshes the manifest at most this often. */
const MIN_REFRESH_MS = 1000;

interface Work<T> {
  readonly work: (session: Session) => Promise<T>;
  readonly signal: AbortSignal | undefined;
  readonly hasGeometry?: boolean | undefined;
  readonly gapBytes?: number | undefined;
}

/** The rows of a typed text are far from each other in the files, so gaps are a fifth of the bytes of costly texts. */
const TYPED_GAP_BYTES = 4096;

/** Whether the suggestion uses all words of the text as they are written. */
const isMeant = ({ unused, match }: Suggestion): boolean => unused.length === 0 && match !== "misspelt";

/** Opens a dataset. Reads nothing before the first call of a method. */
export function openDataset(options: DatasetOptions): Dataset {
  const {
    source,
    decode,
    planTable,
    decodeBytes = () => 0,
    cacheBytes = DEFAULT_CACHE_BYTES,
    keptManifests,
    manifestMaxAgeMs = Infinity,
  } = options;
  const manifests = createMemo<ManifestFile>();
  const olderManifests = createMemo<ManifestFile>();
  const loadMeanings = meaningLoader(options);
  const cache = createCache(cacheBytes);
  const sections = createCacheSections(cache);
  let current: ManifestFile | undefined;
  let askedAtMs = 0;

  async function decodePartition(
    schema: Collection,
    { node }: PartitionRef<"location">,
    slice: Uint8Array,
  ): Promise<Partition> {
    const claimed = readParquetSize(slice);
    if (claimed.rows !== node.rows) throw new Error(`it holds ${claimed.rows} rows, expected ${node.rows}`);
    if (claimed.bytes > MAX_DECODED_BYTES) {
      throw new Error(`it holds ${claimed.bytes} bytes uncompressed, expected at most ${MAX_DECODED_BYTES}`);
    }
    return openPartition(schema, node, await decode(slice));
  }

  async function refresh(signal?: AbortSignal): Promise<ManifestFile> {
    askedAtMs = performance.now();
    const latest = await manifests.get("latest", (workSignal) => readManifest(source, workSignal), signal);
    manifests.delete("latest");
    current = latest;
    return latest;
  }

  /** Works on one release, whose pages and partitions stay in memory until it is done. */
  async function workOn<T>(file: ManifestFile, from: From, { work, signal, ...options }: Work<T>): Promise<T> {
    const lease = cache.lease();
    try {
      return await withOwnSignal(signal, (own) =>
        work(
          openSession({
            ...options,
            ...{ file, from, source, lease, sections, decodeBytes },
            decode: decodePartition,
            signal: own,
          }),
        ),
      );
    } finally {
      lease.end();
    }
  }

  /**
   * Works on the current release. When one of its files is gone and a new release is available, works once more on
   * that one.
   */
  async function onPresentRelease<T>(attempt: Attempt<T>, signal: AbortSignal | undefined): Promise<T> {
    const from = current ? "memory" : "source";
    const file = current ?? (await refresh(signal));
    // in the background; a failed refresh is retried after the same time
    if (performance.now() - askedAtMs >= manifestMaxAgeMs) refresh().catch(() => {});
    try {
      return await attempt(file, from);
    } catch (error) {
      if (!(error instanceof FetchError) || signal?.aborted) throw error;
      const latest = await refresh(signal).catch(() => file);
      if (latest.manifest.sha256 === file.manifest.sha256) throw error;
      return attempt(latest, "source");
    }
  }

  /** Works on the first complete one of the stored releases. Throws `error` if there is none. */
  async function onStoredRelease<T>(
    attempt: Attempt<T>,
    { error, signal, release }: ReleaseOptions & { readonly error: unknown },
  ): Promise<T> {
    for (const manifest of (await keptManifests?.()) ?? []) {
      if (release !== undefined && manifest.release !== release) continue;
      try {
        return await attempt({ manifest, sizeBytes: 0 }, "memory");
      } catch (again) {
        if (!(again instanceof FetchError) || signal?.aborted) throw again;
      }
    }
    throw error;
  }

  /** Works on the current release, or on stored releases when no host answers. */
  async function onAnyRelease<T>(attempt: Attempt<T>, signal: AbortSignal | undefined): Promise<T> {
    try {
      return await onPresentRelease(attempt, signal);
    } catch (error) {
      if (!isUnanswered(error) || signal?.aborted) throw error;
      return onStoredRelease(attempt, { error, signal });
    }
  }

  /** Works on this release only. Files that two releases share are in memory once. */
  async function onNamedRelease<T>(release: string, attempt: Attempt<T>, signal: AbortSignal | undefined): Promise<T> {
    const listed = () =>
      onPresentRelease(async (file, from) => {
        const { manifest } = file;
        return manifest.release === release
          ? attempt(file, from)
          : onKeptRelease(release, { manifest, attempt, signal });
      }, signal);
    try {
      return await listed().catch(async (error: unknown) => {
        const isRecent = performance.now() - askedAtMs < MIN_REFRESH_MS;
        if (!(error instanceof ReleaseError) || manifestMaxAgeMs === Infinity || isRecent) throw error;
        // the caller may know a newer release
        await refresh(signal);
        return listed();
      });
    } catch (error) {
      if (!(error instanceof ReleaseError || isUnanswered(error)) || signal?.aborted) throw error;
      return onStoredRelease(attempt, { error, signal, release });
    }
  }

  async function onKeptRelease<T>(
    asked: string,
    { manifest, attempt, signal }: { manifest: Manifest; attempt: Attempt<T>; signal: AbortSignal | undefined },
  ): Promise<T> {
    const { release: present, kept = [] } = manifest;
    const wanted = kept.find(({ release }) => release === asked);
    if (!wanted) throw new ReleaseError({ asked, present, kept: kept.map(({ release }) => release) });
    return attempt(await readKept(wanted, signal), olderManifests.peek(wanted.sha256) ? "memory" : "source");
  }

  function readKept(wanted: KeptRelease, signal: AbortSignal | undefined): Promise<ManifestFile> {
    return olderManifests.get(wanted.sha256, (own) => readKeptManifest(source, wanted, own), signal);
  }

  function onRelease<T>(work: (dataset: Dataset) => Promise<T>, { release, signal }: ReleaseOptions = {}): Promise<T> {
    const attempt: Attempt<T> = (file, from) => work(pinned(file, from));
    return release === undefined ? onAnyRelease(attempt, signal) : onNamedRelease(release, attempt, signal);
  }

  /** The dataset with one release only. */
  function pinned(file: ManifestFile, from: From): Dataset {
    const { manifest } = file;
    let isFirst = true;
    const dataset: Dataset = {
      ...methodsOf((asked) => {
        const manifestFrom = isFirst ? from : "memory";
        isFirst = false;
        return workOn(file, manifestFrom, asked);
      }),
      manifest: async () => manifest,
      onRelease: async (work, options = {}) => {
        const { release = manifest.release } = options;
        return release === manifest.release ? work(dataset) : onRelease(work, options);
      },
      refresh: async () => manifest,
      heldBytes: cache.heldBytes,
    };
    return dataset;
  }

  /** The methods that read slices, each in one session of `run`. */
  function methodsOf(run: <T>(asked: Work<T>) => Promise<T>): Methods {
    const withSession = <T>(signal: AbortSignal | undefined, work: (session: Session) => Promise<T>): Promise<T> =>
      run({ work, signal });
    return {
      search(query, { signal: caller } = {}) {
        const { order, filters } = query;
        const hasGeometry = query.hasGeometry !== false || filters !== undefined;
        const work = async (session: Session): Promise<SearchResult> => {
          const { total, rows, report } = await (order
            ? searchOrdered(session, { ...query, order })
            : searchRows(session, query));
          return {
            total,
            length: rows.length,
            features: (properties) => featuresOf(rows, properties),
            json: (options) => featureJsonOf(rows, options),
            report,
          };
        };
        return run({ work, signal: caller, hasGeometry, gapBytes: query.gapBytes });
      },
      locate: (query, { maxRows, signal }) => withSession(signal, (session) => locateRows(session, query, maxRows)),
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
      async table(query, { signal } = {}) {
        const planned = await withSession(signal, async (session) => planTable?.(session, query, { source, decode }));
        if (!planned) return undefined;
        return {
          ...planned,
          async *pages(own = signal) {
            for await (const rows of planned.pages(own)) {
              yield {
                length: rows.length,
                features: (properties) => featuresOf(rows, properties),
                json: (options) => featureJsonOf(rows, options),
              };
            }
          },
        };
      },
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
          const { rows } = await searchRows(session, everythingOf(query));
          const groups = await groupRows(rows, by);
          return { total: groups.length, groups: groups.slice(query.offset, query.offset + query.limit) };
        }),
      count: (query, { signal } = {}) => withSession(signal, (session) => countRows(session, query)),
      facet: (query, facet, { signal } = {}) => withSession(signal, (session) => countFacet(session, query, facet)),
      async suggest(query, { signal } = {}) {
        const suggestIn = async (languages: readonly string[]) => {
          const { onMissing, categories: hasIntents = false } = query;
          const meanings = await loadMeanings(languages, { onMissing, signal, hasIntents });
          const work = (session: Session) =>
            suggest(
              session,
              { ...query, ...meanings, ...(query.categoryWords ? { categoryWords: query.categoryWords } : {}) },
              async (asked) => (await searchRows(session, asked)).rows,
            );
          return run({ work, signal, gapBytes: query.isTyped ? TYPED_GAP_BYTES : undefined });
        };
        const found = await suggestIn([ownLanguage(query.language)]);
        const { categories = false, inAnyLanguage = categories } = query;
        if (!inAnyLanguage || query.categoryWords || found.some(isMeant)) return found;
        // the text may name a category in another language
        const languages = allLanguages(query.text, query.language);
        return languages ? suggestIn(languages) : found;
      },
      async categoriesMeant(query, { signal } = {}) {
        const ranked = await categoriesMeant(loadMeanings, query, signal);
        return ranked.map(({ category, unused }) => ({ id: category.id, rows: category.rows, unused }));
      },
      prefetchIndex: ({ maxBytes = DEFAULT_PREFETCH_BYTES, near, signal: caller } = {}) =>
        withSession(caller, async (session) => {
          if (near) await prefetchRecords(session, await prefetchNear(session, near));
          await prefetchIndex(session, maxBytes);
        }),
      rowBoxes: (collections, { maxBytes, signal }) =>
        withSession(signal, (session) => rowBoxes(session, collections, { maxBytes })),
      partitions: (wanted, { signal } = {}) => withSession(signal, (session) => listPartitions(session, wanted)),
      partitionTable: ({ collection, node }, { signal } = {}) =>
        withSession(
          signal,
          async (session) => (await session.readPartition({ collection, run: "location", node })).table,
        ),
    };
  }

  return {
    ...methodsOf((asked) => onAnyRelease((file, from) => workOn(file, from, asked), asked.signal)),
    prefetchIndex: methodsOf((asked) => onPresentRelease((file, from) => workOn(file, from, asked), asked.signal))
      .prefetchIndex,
    manifest: async (signal) => (current ?? (await refresh(signal))).manifest,
    onRelease,
    refresh: async (signal) => (await refresh(signal)).manifest,
    heldBytes: cache.heldBytes,
  };
}

function isUnanswered(error: unknown): boolean {
  return error instanceof FetchError && error.isUnanswered;
}
