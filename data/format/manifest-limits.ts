/** The version of the format, and bounds of a manifest that readers check. @module */

/** Version of the dataset format. It increases if readers must change. */
export const FORMAT_VERSION = 3;

/** Maximum size of an index page, inflated. */
export const MAX_PAGE_BYTES = 64 * 1024;

/** Maximum size of a manifest that readers accept. Builds write at most 256 KiB. */
export const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Maximum rows of a slice, far more than in practice. */
export const MAX_PARTITION_ROWS = 1 << 20;

/**
 * Stands for a country in index nodes with data of all countries. No row can have it as its country, and it sorts
 * before all codes.
 */
export const ALL_COUNTRIES = "*";
