declare module "shpjs" {
  /** Geometries as GeoJSON; null for a record without one. */
  export function parseShp(shp: Uint8Array): readonly unknown[];
}
