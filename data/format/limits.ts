/** Radius of a search that names a centre alone. */
export const DEFAULT_RADIUS_METERS = 1000;

/** Most records on a page. */
export const MAX_PAGE_RECORDS = 25_000;
