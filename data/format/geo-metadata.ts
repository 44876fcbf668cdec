import type { BBox } from "./bbox.ts";

/**
 * Returns the JSON of GeoParquet 1.1 metadata for a column `geometry` in WKB, with planar edges and OGC:CRS84. `kinds`
 * are the types of the geometries, `bbox` is the box of all rows, if known. `hasCovering` says whether the file has a
 * column `bbox`.
 *
 * @see https://geoparquet.org/releases/v1.1.0/
 */
export function geoMetadata(
  kinds: Iterable<string>,
  bbox: BBox | undefined,
  { hasCovering = true }: { readonly hasCovering?: boolean } = {},
): string {
  const edges = Object.fromEntries(["xmin", "ymin", "xmax", "ymax"].map((edge) => [edge, ["bbox", edge]]));
  const covering = hasCovering ? { bbox: edges } : undefined;
  return JSON.stringify({
    version: "1.1.0",
    primary_column: "geometry",
    columns: { geometry: { encoding: "WKB", geometry_types: [...kinds].sort(), bbox, covering } },
  });
}
