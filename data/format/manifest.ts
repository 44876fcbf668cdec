/**
 * The manifest: the one mutable file of a dataset, root of the index of every run.
 *
 * Each collection is stored in runs, its rows or what is told of them in different orders. A run is cut into slices, which
 * lie in packs: files of some megabytes, read by ranges of bytes. Its index is a tree: the nodes here are slices of the
 * run, or pages, slices themselves, that hold further nodes.
 * @module
 */
import * as z from "zod/mini";
import type { BBox } from "./bbox.ts";
import { type CollectionName, isCollectionName } from "./collections.ts";
import { inflate } from "./inflate.ts";
import { MAX_SLICE_BYTES } from "./limits.ts";
import { isOwnName } from "./own-collections.ts";
import { OWN_TYPES, type OwnSchema, type OwnType, ROLES } from "./own-schema.ts";
import { fromUtf8 } from "./utf8.ts";
import { valid } from "./valid.ts";

/** Raised when readers must change. */
export const FORMAT_VERSION = 3;

/** Largest size of an index page, inflated. */
export const MAX_PAGE_BYTES = 64 * 1024;

/** Largest size of a manifest that is read; those that are written have 256 KiB at most. */
export const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Most rows of a partition: far more than any has. */
export const MAX_PARTITION_ROWS = 1 << 20;

/** Size of a pack unless the build says otherwise; a slice that is larger has a pack of its own. */
export const PACK_BYTES = 4 * 1024 * 1024;

/** `location`: the primary copy, by (country, size class, geohash, id). `records`: by (country, id). */
export const RUN_NAMES = ["location", "records"] as const;
export type RunName = (typeof RUN_NAMES)[number];

/** `term`: (country, term), the numbers of the rows that have it; not every collection has one. */
export const DERIVED_RUN_NAMES = ["term", "suggest", "find", "count_brand", "count_category", "count_country"] as const;
export type DerivedRunName = (typeof DERIVED_RUN_NAMES)[number];
export type AnyRunName = RunName | DerivedRunName;

/** Runs of tables. `suggest`: (term, id), names of divisions. `find`: (hash of the id), the number of its row. `count_*`: (country, rank). */
export type TableRunName = Exclude<DerivedRunName, "term">;
export type CountRunName = "count_brand" | "count_category" | "count_country";

/** The country under which runs have what they hold of all countries together. */
export const ALL_COUNTRIES = "XX";

/** The country of rows that lie in none, nor within 12 nautical miles of one. */
export const NO_COUNTRY = "ZZ";

const count = z.int().check(z.nonnegative());
const atMost = (most: number) => count.check(z.maximum(most));
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/, "a SHA-256 in hexadecimal"));
const bbox: z.ZodMiniType<BBox> = z.tuple([z.number(), z.number(), z.number(), z.number()]);
const country = z.string().check(z.regex(/^[A-Z]{2}$/, "an ISO 3166-1 alpha-2 code"));
const geohash = /(-|[0-9b-hjkmnp-z]{1,12})/;
const packName = z.string().check(z.regex(/^[0-9a-f]{16}$/, "the head of a pack's SHA-256"));

/** Bytes of a pack. */
const slice = {
  /** Of the slice. */
  sha256,
  bytes: atMost(MAX_SLICE_BYTES),
  /** The head of the SHA-256 of the pack's file. */
  pack: packName,
  /** First byte of the slice in its pack. */
  offset: count,
};

const common = {
  ...slice,
  rows: atMost(MAX_PARTITION_ROWS),
  bbox,
  country,
};

const locationPartition = z.strictObject({
  ...common,
  /** The geohash of the pack's folder, then `/` and the head of its SHA-256. */
  pack: z
    .string()
    .check(z.regex(new RegExp(`^${geohash.source}/[0-9a-f]{16}$`), "a geohash or `-`, and the head of a SHA-256")),
  /** The longest common prefix of its rows' geohashes, `-` when there is none. */
  geohash: z.string().check(z.regex(new RegExp(`^${geohash.source}$`), "a geohash or `-`")),
  /** Where its rows are, and their numbers. */
  points: z.strictObject(slice),
});

const stretch = z.strictObject({
  ...common,
  first_id: z.string(),
  last_id: z.string(),
  /** Rows of its country before it. */
  start: count,
  /** Its number among the stretches of the collection. */
  stretch: count,
  /** Blocks; the directory follows them. */
  blocks: count,
});

const termPartition = z.strictObject({
  ...common,
  /** The least and the greatest term, hash or rank. A term that fills more than a slice shares none of its own with others. */
  first_term: z.string(),
  last_term: z.string(),
  /** The number of the first term's rows before it. */
  start: count,
});

const page = z.strictObject({
  ...slice,
  rows: count,
  bbox,
  /** Number of partitions below it, at any depth. */
  partitions: count,
  /** Records: (country, id) of the first and of the last row below it. Runs but location: (country, term). */
  first: z.optional(z.tuple([country, z.string()])),
  last: z.optional(z.tuple([country, z.string()])),
});

// partitions first: there are far more of them, and what is tried in vain takes longer than what is found
const nodes = z.array(z.union([locationPartition, stretch, termPartition, page]));
const run = z.object({ partitions: count, bytes: count, nodes });

const attribution = z.object({
  /** As rows name it in `sources[].dataset`. */
  dataset: z.string(),
  license: z.string(),
  /** The line to show to readers. */
  text: z.string(),
  url: z.optional(z.url({ protocol: /^https?$/ })),
});

/** The manifest of an older release, a file of its own. */
const kept = z.object({ release: z.string(), sha256, bytes: atMost(MAX_MANIFEST_BYTES) });

const ownSchema: z.ZodMiniType<OwnSchema> = z.object({
  columns: z.array(
    z.object({
      name: z.string().check(z.minLength(1)),
      type: z.enum(Object.keys(OWN_TYPES) as [OwnType, ...OwnType[]]),
      role: z.optional(z.enum(ROLES)),
      hasTerms: z.optional(z.boolean()),
    }),
  ),
});

const manifest = z.object({
  format: z.literal("cairn"),
  format_version: z.literal(FORMAT_VERSION),
  release: z.string(),
  /** How terms were folded; the term runs are of use to a program with the same version alone. */
  fold_version: z.optional(z.int()),
  attribution: z.array(attribution),
  rejects: z.object({ rows: count, bytes: count, sha256, reasons: z.record(z.string(), count) }),
  /** Older releases whose files are here still, the newest first; readers that do not know of them pass over it. */
  kept: z.optional(z.array(kept)),
  collections: z.record(
    z.string().check(z.refine((name) => isCollectionName(name) || isOwnName(name), "the name of a collection")),
    z.object({
      rows: count,
      bbox,
      /** Rows per country; the keys are in order. */
      countries: z.record(country, count),
      /** Number of each country's first stretch of records; the keys are in order. */
      stretches: z.record(country, count),
      /** What the collection's records were compressed with, compressed itself. */
      dictionary: z.strictObject(slice),
      /** Of a collection that is not Overture's. */
      schema: z.optional(ownSchema),
      /** Names of source columns that the schema does not have: they were left out. */
      ignored_columns: z.array(z.string()),
      runs: z.object({
        location: run,
        records: run,
        term: z.optional(run),
        suggest: z.optional(run),
        find: z.optional(run),
        count_brand: z.optional(run),
        count_category: z.optional(run),
        count_country: z.optional(run),
      }),
    }),
  ),
});

export type Manifest = z.infer<typeof manifest>;
export type ManifestCollection = Manifest["collections"][CollectionName];
export type ManifestRun = z.infer<typeof run>;
export type LocationNode = z.infer<typeof locationPartition>;
export type StretchNode = z.infer<typeof stretch>;
export type TermNode = z.infer<typeof termPartition>;
export type PartitionNode = LocationNode | StretchNode | TermNode;
export type PageNode = z.infer<typeof page>;
export type IndexNode = PartitionNode | PageNode;
export type Attribution = z.infer<typeof attribution>;

export type KeptRelease = z.infer<typeof kept>;

/** What the index says of a slice: bytes of a pack. */
export type Slice = Pick<PageNode, "sha256" | "bytes" | "pack" | "offset">;

/** Nodes of a run by its name. */
export interface NodesOf {
  readonly location: LocationNode;
  readonly records: StretchNode;
  readonly term: TermNode;
  readonly suggest: TermNode;
  readonly find: TermNode;
  readonly count_brand: TermNode;
  readonly count_category: TermNode;
  readonly count_country: TermNode;
}

/** Whether the node is a page of further nodes. */
export function isPage(node: IndexNode): node is PageNode {
  return "partitions" in node;
}

/** The manifest in this JSON value. Throws with every fault named. */
export function parseManifest(value: unknown): Manifest {
  const version = (value as { format_version?: unknown } | null)?.format_version;
  if (typeof version === "number" && version !== FORMAT_VERSION) {
    throw new Error(`manifest has format_version ${version}, this program reads ${FORMAT_VERSION}`);
  }
  return valid("manifest", manifest, value);
}

/** The index page in these bytes, and the length of its JSON. Throws when they are damaged, every fault of the nodes named. */
export function readPage(slice: Uint8Array): { readonly nodes: readonly IndexNode[]; readonly jsonBytes: number } {
  const json = inflate(slice, { maxBytes: MAX_PAGE_BYTES });
  return { nodes: valid("index page", nodes, JSON.parse(fromUtf8(json))), jsonBytes: json.length };
}
