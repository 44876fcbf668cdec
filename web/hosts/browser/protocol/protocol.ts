/** Calls from the page to its worker. All values can be copied by structured cloning. @module */

import type { BBox } from "../../../../data/format/bbox.ts";
import type { CollectionName } from "../../../../data/format/collections.ts";
import type { Focus } from "../../../../data/format/focus.ts";
import type { Attribution } from "../../../../data/format/manifest.ts";
import type { OwnFilter } from "../../../../data/format/own-filters.ts";
import type { OwnSchema } from "../../../../data/format/own-schema.ts";
import type { Near } from "../../../engine/index.ts";
import type { AreaCalls, PackCalls } from "./area-calls.ts";
import type { ConsoleCalls } from "./console-calls.ts";
import type { ExportArgument, ExportProgress, ExportResult } from "./export-calls.ts";
import type { FileCalls } from "./file-calls.ts";
import type { HoursCalls } from "./hours-calls.ts";
import type { OvertureCalls } from "./overture-calls.ts";
import type { SearchCalls } from "./search-calls.ts";
import type { StatisticsCalls } from "./statistics-calls.ts";

export interface DatasetSummary {
  readonly release: string;
  /** SHA-256 in the manifest. Two builds of the same release have different ones. */
  readonly sha256: string;
  /** Names of the older releases that the dataset keeps, the last kept first. */
  readonly kept: readonly string[];
  readonly attribution: readonly Attribution[];
  /** Who signed the manifest, and the day (YYYY-MM-DD), if the page pins a key. */
  readonly signature: { readonly signer: string; readonly day: string } | undefined;
  readonly collections: readonly {
    readonly name: CollectionName;
    /** Of a collection with its own schema. */
    readonly schema?: OwnSchema | undefined;
    /** The filters of its columns. */
    readonly filters?: readonly OwnFilter[] | undefined;
    readonly rows: number;
    readonly countries: Readonly<Record<string, number>>;
    readonly bbox: BBox;
    readonly focus: Focus | undefined;
    /** Upper bound of the bytes that its names take in a saved area. */
    readonly namesBytes: number;
  }[];
}

/** Groups of icons of places. Each group has a colour. */
export type PlaceGroup = "food" | "shop" | "health" | "stay" | "culture" | "nature" | "travel" | "public" | "other";

/**
 * A Web Mercator tile of the base map. `world`: low zooms. `local`: made from the dataset. `places`: the dataset's places, bus
 * stops and house numbers.
 */
export interface TileAddress {
  readonly map: "world" | "local" | "places";
  readonly z: number;
  readonly x: number;
  readonly y: number;
  /** BCP 47. A feature without a name in this language gets its local name. */
  readonly language: string;
}

interface OpenArgument {
  readonly base: string;
  /** URL of the dataset folder. Default: `dataset/` below the folder of the page. */
  readonly dataset?: string | undefined;
  /** Pinned keys, with commas between them. One of them must have signed the dataset. */
  readonly key?: string | undefined;
  readonly allowPrefetch: boolean;
}

export interface RemoteCalls
  extends AreaCalls,
    ConsoleCalls,
    FileCalls,
    HoursCalls,
    OvertureCalls,
    PackCalls,
    SearchCalls,
    StatisticsCalls {
  /** Opens the page's dataset. `base` is the folder of the page. Call it first, and again after a failure. */
  open: { argument: OpenArgument; value: DatasetSummary };
  /** Reads the manifest again. New searches use the current release; running ones continue with the previous one. */
  refresh: { argument: undefined; value: DatasetSummary };
  /** Says where the map is, so that the worker reads the index around it in idle time. */
  look: { argument: Near; value: undefined };
  export: { argument: ExportArgument; value: ExportResult; progress: ExportProgress };
  tile: { argument: TileAddress; value: ArrayBuffer };
}

/** The form of a list of calls such as `RemoteCalls`: by name, the argument and the value of each call. */
export type CallsOf<Calls> = {
  readonly [Name in keyof Calls]: { readonly argument: unknown; readonly value: unknown };
};

type ProgressOf<Name extends keyof Calls, Calls = RemoteCalls> = Calls[Name] extends { progress: infer P } ? P : never;

export type Remote<Calls extends CallsOf<Calls> = RemoteCalls> = <Name extends keyof Calls>(
  name: Name,
  argument: Calls[Name]["argument"],
  signal?: AbortSignal,
  onProgress?: (progress: ProgressOf<Name, Calls>) => void,
) => Promise<Calls[Name]["value"]>;

export type RemoteHandlers<Calls extends CallsOf<Calls> = RemoteCalls> = {
  readonly [Name in keyof Calls]: (
    argument: Calls[Name]["argument"],
    signal: AbortSignal,
    report: (progress: ProgressOf<Name, Calls>) => void,
  ) => Promise<Calls[Name]["value"]>;
};

/** How far a part of the engine is loaded. `reader` reads Parquet, `database` is DuckDB. */
export interface PartStatus {
  readonly part: "reader" | "database";
  readonly state: "loading" | "ready";
  readonly receivedBytes: number;
  readonly totalBytes: number;
}

/**
 * How a request ended: with an answer, with a faulty one, or with none. `perhaps`: the answer may come from the browser's cache
 * of hashed files.
 */
export type HostAnswer = "answered" | "faulty" | "silent" | "perhaps";

export interface HostStatus {
  readonly part: "host";
  readonly answer: HostAnswer;
}

/** Bytes of map data received since the worker started. Sent from time to time. */
interface DataStatus {
  readonly part: "data";
  readonly receivedBytes: number;
}

export type WorkerStatus = PartStatus | HostStatus | DataStatus;
