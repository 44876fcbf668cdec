import type { BBox } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { FORMAT_VERSION } from "../../data/format/manifest.ts";

/**
 * GeoParquet 1.1 metadata: planar edges, OGC:CRS84, the bbox column as covering. @see
 * https://geoparquet.org/releases/v1.1.0/
 */
export function geoMetadata(kinds: Iterable<string>, bbox: BBox | undefined): string {
  const covering = Object.fromEntries(["xmin", "ymin", "xmax", "ymax"].map((edge) => [edge, ["bbox", edge]]));
  return JSON.stringify({
    version: "1.1.0",
    primary_column: "geometry",
    columns: {
      geometry: { encoding: "WKB", geometry_types: [...kinds].sort(), bbox, covering: { bbox: covering } },
    },
  });
}

/** The value of the key `cairn`: what a file's path says, for a file that travels alone. */
export function cairnMetadata(collection: CollectionName, country: string): string {
  return JSON.stringify({ format_version: FORMAT_VERSION, collection, country });
}
