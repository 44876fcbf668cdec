/** The version of the format, and bounds of a manifest that readers check. @module */

/** Increased if readers must change. */
export const FORMAT_VERSION = 3;

/** Maximum size of an index page, inflated. */
export const MAX_PAGE_BYTES = 64 * 1024;

/** Maximum size of a manifest for readers. Written manifests have at most 256 KiB. */
export const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Maximum rows of a partition, far more than in practice. */
export const MAX_PARTITION_ROWS = 1 << 20;

/** The country code for data of all countries together. No row can declare it, and it sorts before all codes. */
export const ALL_COUNTRIES = "*";
