/** Radius of a search that names a centre alone. */
export const DEFAULT_RADIUS_METERS = 1000;

/** Most records on a page. */
export const MAX_PAGE_RECORDS = 25_000;

/** Of more rows a search keeps its own order: so many places are about a megabyte, and a moment of a telephone's. */
export const MAX_ORDERED_ROWS = 5000;

/** Largest size of a slice, compressed or not. Of some 256 KiB as a rule; a row may have an outline of many megabytes. */
export const MAX_SLICE_BYTES = 128 * 1024 * 1024;
