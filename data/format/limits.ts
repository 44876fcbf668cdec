/** Radius of a search that names a centre alone. */
export const DEFAULT_RADIUS_METERS = 1000;

/** Most records on a page. */
export const MAX_PAGE_RECORDS = 25_000;

/** Largest size of a slice, compressed or not. Of some 256 KiB as a rule; a row may have an outline of many megabytes. */
export const MAX_SLICE_BYTES = 128 * 1024 * 1024;
