/**
 * The manifest: the one mutable file of a dataset, root of the index of every run.
 *
 * Each collection is stored in runs, the same rows in different orders. A run is cut into partitions (Parquet files).
 * Its index is a tree: the nodes here are partitions, or pages (JSON files of at most 64 KiB) that hold further nodes.
 * @module
 */
import { z } from "zod";
import type { BBox } from "./bbox.ts";
import { COLLECTION_NAMES, type CollectionName } from "./collections.ts";

/** Raised when readers must change. */
export const FORMAT_VERSION = 2;

/** Versions that this program reads. */
const READ_VERSIONS = [1, FORMAT_VERSION] as const;

/** Largest size of an index page. */
export const MAX_PAGE_BYTES = 64 * 1024;

/** Largest size of a manifest that is read; those that are written have 256 KiB at most. */
export const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Largest size of a partition, and of its shapes. Of some 256 KiB as a rule; a row may have an outline of many megabytes. */
export const MAX_PARTITION_BYTES = 128 * 1024 * 1024;

/** Most rows of a partition: far more than any has. */
export const MAX_PARTITION_ROWS = 1 << 20;

/** `location`: (country, size class, geohash, id). `id`: (country, id). */
export const RUN_NAMES = ["location", "id"] as const;
export type RunName = (typeof RUN_NAMES)[number];

/**
 * `term`: (country, term, id), a row under each of its terms; not every collection has one. It repeats rows of the others,
 * and leaves some to the id run. `suggest`: (term, id), names of divisions over all countries.
 */
export type TermRunName = "term" | "suggest" | "find" | CountRunName;
export type AnyRunName = RunName | TermRunName;

/** `find`: (hash of the id), which country a row stands under. `count_*`: (country, rank), rows by what they have in common. */
export type CountRunName = "count_brand" | "count_category" | "count_country";

/** The country under which runs have what they hold of all countries together. */
export const ALL_COUNTRIES = "XX";

/** The country of rows that lie in none, nor within 12 nautical miles of one. */
export const NO_COUNTRY = "ZZ";

const count = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "a SHA-256 in hexadecimal");
const bbox: z.ZodType<BBox> = z.tuple([z.number(), z.number(), z.number(), z.number()]);
const country = z.string().regex(/^[A-Z]{2}$/, "an ISO 3166-1 alpha-2 code");

const common = {
  /** Of the file; its name is made from it. */
  sha256,
  bytes: count,
  rows: count,
  bbox,
};

const partition = z.object({
  ...common,
  bytes: count.max(MAX_PARTITION_BYTES),
  rows: count.max(MAX_PARTITION_ROWS),
  country,
  /** Location run only: the longest common prefix of its rows' geohashes, `-` when there is none. */
  geohash: z
    .string()
    .regex(/^(-|[0-9b-hjkmnp-z]{1,12})$/, "a geohash or `-`")
    .optional(),
  /** Location run only: the file of its rows' geometries alone, where it is much smaller than the partition. */
  shape: z
    .object({ sha256, bytes: count.max(MAX_PARTITION_BYTES) })
    .strict()
    .optional(),
  /** Id run only: the least and the greatest id, and the number of this country's rows before it. */
  first_id: z.string().optional(),
  last_id: z.string().optional(),
  start: count.optional(),
  /** The other runs: the least and the greatest term, hash or rank. A term that fills more than a partition shares none of its own with others. */
  first_term: z.string().optional(),
  last_term: z.string().optional(),
});

const page = z.object({
  ...common,
  bytes: count.max(MAX_PAGE_BYTES),
  /** Number of partitions below it, at any depth. */
  partitions: count,
  /** Id run: (country, id) of the first and of the last row below it. The other runs: (country, term). */
  first: z.tuple([country, z.string()]).optional(),
  last: z.tuple([country, z.string()]).optional(),
});

// partitions first: there are far more of them, and what is tried in vain takes longer than what is found
const nodes = z.array(z.union([partition.strict(), page.strict()]));
const run = z.object({ partitions: count, bytes: count, nodes });

const attribution = z.object({
  /** As rows name it in `sources[].dataset`. */
  dataset: z.string(),
  license: z.string(),
  /** The line to show to readers. */
  text: z.string(),
  url: z.url({ protocol: /^https?$/ }).optional(),
});

const manifest = z.object({
  format: z.literal("cairn"),
  format_version: z.literal(READ_VERSIONS),
  release: z.string(),
  /** How terms were folded; the term runs are of use to a program with the same version alone. */
  fold_version: z.int().optional(),
  attribution: z.array(attribution),
  rejects: z.object({ rows: count, bytes: count, sha256, reasons: z.record(z.string(), count) }),
  collections: z.partialRecord(
    z.enum(COLLECTION_NAMES as [CollectionName, ...CollectionName[]]),
    z.object({
      rows: count,
      bbox,
      /** Rows per country; the keys are in order. */
      countries: z.record(country, count),
      /** Names of source columns that the schema does not have: they were left out. */
      ignored_columns: z.array(z.string()),
      runs: z.object({
        location: run,
        id: run,
        term: run.optional(),
        suggest: run.optional(),
        find: run.optional(),
        count_brand: run.optional(),
        count_category: run.optional(),
        count_country: run.optional(),
      }),
    }),
  ),
});

export type Manifest = z.infer<typeof manifest>;
export type ManifestCollection = NonNullable<Manifest["collections"][CollectionName]>;
export type ManifestRun = z.infer<typeof run>;
export type PartitionNode = z.infer<typeof partition>;
export type PageNode = z.infer<typeof page>;
export type IndexNode = PartitionNode | PageNode;
export type Attribution = z.infer<typeof attribution>;

/** Whether the node is a page of further nodes. */
export function isPage(node: IndexNode): node is PageNode {
  return "partitions" in node;
}

/** The manifest in this JSON value. Throws with every fault named. */
export function parseManifest(value: unknown): Manifest {
  const version = (value as { format_version?: unknown } | null)?.format_version;
  if (typeof version === "number" && !READ_VERSIONS.some((known) => known === version)) {
    throw new Error(`manifest has format_version ${version}, this program reads ${READ_VERSIONS.join(" and ")}`);
  }
  return parse("manifest", manifest, value);
}

/** The nodes of an index page. Throws with every fault named. */
export function parsePage(value: unknown): IndexNode[] {
  return parse("index page", nodes, value);
}

function parse<T>(name: string, schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Error(`${name} is not valid: ${z.prettifyError(result.error).replaceAll("\n", " ")}`);
}
