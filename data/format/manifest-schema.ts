/**
 * The schemas of the manifest and of index pages. Apart from `manifest.ts`, so that a program with its own checks has no
 * zod in its bundle.
 * @module
 */
import * as z from "zod/mini";
import type { BBox } from "./bbox.ts";
import { isCollectionName } from "./collections.ts";
import { inflate } from "./inflate.ts";
import { MAX_SLICE_BYTES } from "./limits.ts";
import {
  ALL_COUNTRIES,
  FORMAT_VERSION,
  MAX_MANIFEST_BYTES,
  MAX_PAGE_BYTES,
  MAX_PARTITION_ROWS,
} from "./manifest-limits.ts";
import { isOwnName } from "./own-collections.ts";
import { OWN_TYPES, type OwnSchema, type OwnType, ROLES } from "./own-schema.ts";
import { TABLE_FACETS } from "./table-facets.ts";
import { fromUtf8 } from "./utf8.ts";
import { valid } from "./valid.ts";

const count = z.int().check(z.nonnegative());
const atMost = (most: number) => count.check(z.maximum(most));
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/, "a SHA-256 in hexadecimal"));
const bbox: z.ZodMiniType<BBox> = z.tuple([z.number(), z.number(), z.number(), z.number()]);
const country = z.string().check(z.regex(/^[A-Z]{2}$/, "an ISO 3166-1 alpha-2 code"));
const countryOrAll = z.string().check(z.regex(/^([A-Z]{2}|\*)$/, `an ISO 3166-1 alpha-2 code or ${ALL_COUNTRIES}`));
const geohash = /(-|[0-9b-hjkmnp-z]{1,12})/;
const packName = z.string().check(z.regex(/^[0-9a-f]{16}$/, "the head of a pack's SHA-256"));

/** Where a slice is. */
const slice = {
  /** Hash of the slice. */
  sha256,
  bytes: atMost(MAX_SLICE_BYTES),
  /** Prefix of the SHA-256 of the pack's file. */
  pack: packName,
  /** Offset of the slice in its pack. */
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
  /** The geohash of the pack's folder, `/`, and a prefix of the pack's SHA-256. */
  pack: z
    .string()
    .check(z.regex(new RegExp(`^${geohash.source}/[0-9a-f]{16}$`), "a geohash or `-`, and the head of a SHA-256")),
  /** The longest common prefix of its rows' geohashes; `-` if it is empty. */
  geohash: z.string().check(z.regex(new RegExp(`^${geohash.source}$`), "a geohash or `-`")),
  /** The slice of points: geometries and numbers of its rows. */
  points: z.strictObject({
    ...slice,
    /** The sections of the slice, if there are several: length, rows and box of each, see `readSections`. */
    sections: z.optional(z.string()),
  }),
  /** Address of the record of its first row. */
  record: count,
});

const chunk = z.strictObject({
  ...common,
  /** Number of the chunk, over all countries of the collection. */
  chunk: count,
  blocks: count,
});

const segment = z.strictObject({
  ...common,
  first_id: z.string(),
  last_id: z.string(),
  /** Rows of its country in earlier segments. */
  start: count,
  /** Number of the segment, over all countries of the collection. */
  segment: count,
  /** Number of blocks. The directory follows them. */
  blocks: count,
});

const termPartition = z.strictObject({
  ...common,
  country: countryOrAll,
  /** The lowest and the highest term, hash or rank. A term larger than a slice has slices of its own. */
  first_term: z.string(),
  last_term: z.string(),
  /** Rows of the first term in earlier slices. */
  start: count,
});

/** A Parquet file of a column table. */
const tableFile = z.strictObject({
  ...common,
  country: countryOrAll,
  /** `tableTerm` of the first and the last row. */
  first_term: z.string(),
  last_term: z.string(),
  /** Rows of the first term in earlier files. */
  start: count,
  /** The last bytes of the file, with the checks of its column chunks. */
  footer: z.strictObject({ sha256, bytes: atMost(MAX_SLICE_BYTES) }),
});

const page = z.strictObject({
  ...slice,
  rows: count,
  bbox,
  /** Number of slices of the run below, at any depth. */
  partitions: count,
  /**
   * The lowest and the highest key below: in `ids` (country, id), in the records (country, ""), in other runs (country,
   * term). Pages of the primary copy have no keys.
   */
  first: z.optional(z.tuple([countryOrAll, z.string()])),
  last: z.optional(z.tuple([countryOrAll, z.string()])),
});

const anyNode = z.union([locationPartition, chunk, segment, termPartition, tableFile, page]);

/** The only schema that a node can match, because each has a member that the others refuse. */
function schemaOf(node: object): z.ZodMiniType<z.infer<typeof anyNode>> {
  if ("footer" in node) return tableFile;
  if ("first_term" in node) return termPartition;
  if ("segment" in node) return segment;
  if ("chunk" in node) return chunk;
  return "geohash" in node ? locationPartition : page;
}

/** Accepts the same values as `anyNode` in a third of the time, because it does not try one schema after the other. */
const node = z.transform((value: unknown, { issues }): z.infer<typeof anyNode> => {
  const found = typeof value === "object" && value !== null ? schemaOf(value).safeParse(value) : undefined;
  if (found?.success) return found.data;
  const { error } = anyNode.safeParse(value);
  for (const { message, path } of error?.issues ?? []) issues.push({ code: "custom", message, path, input: value });
  return z.NEVER;
});
const nodes = z.array(node);
const run = z.object({ partitions: count, bytes: count, nodes });

const attribution = z.object({
  /** The value in `sources[].dataset` of rows. */
  dataset: z.string(),
  license: z.string(),
  /** The line to show to users. */
  text: z.string(),
  url: z.optional(z.url({ protocol: /^https?$/ })),
});

/** An older release whose files are still in the dataset. Its manifest has its own file. */
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

/** The name of a collection of Overture or of a user's table. */
export const collectionName = z
  .string()
  .check(z.refine((name) => isCollectionName(name) || isOwnName(name), "the name of a collection"));

const manifest = z.object({
  format: z.literal("cairn"),
  format_version: z.literal(FORMAT_VERSION),
  /** Hash of the file with 64 zeros instead of this value. */
  sha256,
  release: z.string(),
  /** Version of the folding of terms. A program with another version cannot use the term runs. */
  fold_version: z.optional(z.int()),
  attribution: z.array(attribution),
  rejects: z.object({ rows: count, bytes: count, sha256, reasons: z.record(z.string(), count) }),
  /** Older releases that the dataset keeps, the last kept first. Readers may ignore them. */
  kept: z.optional(z.array(kept)),
  collections: z.record(
    collectionName,
    z.object({
      rows: count,
      bbox,
      /** Rows per country, with sorted keys. */
      countries: z.record(country, count),
      /** Number of each country's first segment of ids, with sorted keys. */
      segments: z.record(country, count),
      /** Number of each country's first chunk of records, with sorted keys. */
      chunks: z.record(country, count),
      /** The compression dictionary of the collection's records, compressed. */
      dictionary: z.strictObject(slice),
      /** Copies of slices by their hash, in base64: what a search of a small collection needs first. Readers may ignore them. */
      inline: z.optional(z.record(sha256, z.string())),
      /** The JSON of all records of a small collection, compressed, in base64. Readers may ignore it. */
      texts: z.optional(z.string()),
      /** Schema of a collection that is made from a user's table. Collections of Overture have no such schema. */
      schema: z.optional(ownSchema),
      /** What the run `table` is sorted by, and its columns besides key, id and geometry. */
      table: z.optional(z.object({ facet: z.enum(TABLE_FACETS), columns: z.array(z.string()) })),
      /** Source columns that the schema lacks. They were left out. */
      ignored_columns: z.array(z.string()),
      runs: z.object({
        location: run,
        records: run,
        ids: run,
        term: z.optional(run),
        suggest: z.optional(run),
        find: z.optional(run),
        count_brand: z.optional(run),
        count_category: z.optional(run),
        count_country: z.optional(run),
        count_cell: z.optional(run),
        table: z.optional(run),
      }),
    }),
  ),
});

export type Manifest = z.infer<typeof manifest>;
/** A run in the manifest: number of its slices, their bytes, and the top nodes of its index. */
export type ManifestRun = z.infer<typeof run>;
/** Index node of a slice of the location run: rows by place, as GeoParquet. */
export type LocationNode = z.infer<typeof locationPartition>;
/** Index node of a chunk: a slice of the records run. */
export type ChunkNode = z.infer<typeof chunk>;
/** Index node of a segment: a slice of the ids run. */
export type SegmentNode = z.infer<typeof segment>;
/** Index node of a slice of the runs `term`, `find`, `suggest`, or of counts. */
export type TermNode = z.infer<typeof termPartition>;
/** Index node of a file of a column table. */
export type TableNode = z.infer<typeof tableFile>;
/** Index node of a page, which lists further nodes. */
export type PageNode = z.infer<typeof page>;
/** Index node of a slice of any run. */
export type PartitionNode = LocationNode | ChunkNode | SegmentNode | TermNode | TableNode;
export type IndexNode = PartitionNode | PageNode;
export type Attribution = z.infer<typeof attribution>;
export type KeptRelease = z.infer<typeof kept>;

/**
 * Returns the parsed JSON of a manifest as `Manifest`. Throws an error that lists all wrong members, or if its format
 * version is another. Does not check the sums and the hash.
 */
export function parseManifest(value: unknown): Manifest {
  const version = (value as { format_version?: unknown } | null)?.format_version;
  if (typeof version === "number" && version !== FORMAT_VERSION) {
    throw new Error(`manifest has format_version ${version}, this program reads ${FORMAT_VERSION}`);
  }
  return valid("manifest", manifest, value);
}

/**
 * Reads a slice with an index page. Returns its nodes, and the length of its inflated JSON. Throws if it is damaged,
 * with every wrong member of the nodes.
 */
export function readPage(slice: Uint8Array): { readonly nodes: readonly IndexNode[]; readonly jsonBytes: number } {
  const json = inflate(slice, { maxBytes: MAX_PAGE_BYTES });
  return { nodes: valid("index page", nodes, JSON.parse(fromUtf8(json))), jsonBytes: json.length };
}
