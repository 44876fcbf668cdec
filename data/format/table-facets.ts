/**
 * Facets by which a column table can be sorted. Apart from `column-tables.ts`, because the manifest's schema needs only
 * these.
 * @module
 */

export const TABLE_FACETS = ["category", "class", "subtype"] as const;
export type TableFacet = (typeof TABLE_FACETS)[number];

/** Folder of column tables in a dataset. No collection has this name. */
export const TABLES_FOLDER = "tables";
