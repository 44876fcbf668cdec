/** Default radius of a search with a centre. */
export const DEFAULT_RADIUS_METERS = 1000;

/** Half the circumference of the globe: the largest possible distance. */
export const MAX_RADIUS_METERS = 20_015_086;

/** Maximum records on a page. */
export const MAX_PAGE_RECORDS = 25_000;

/**
 * A search with more rows than this does not sort them by distance or by a column. So many places are about a megabyte,
 * and fast on a phone.
 */
export const MAX_ORDERED_ROWS = 5000;

/**
 * Maximum size of a slice, compressed or inflated. Slices usually have about 256 KiB, but the outline of one row may
 * have many megabytes.
 */
export const MAX_SLICE_BYTES = 128 * 1024 * 1024;
