declare module "shpjs" {
  /** Geometries as GeoJSON; null for a record without one. */
  export function parseShp(shp: Uint8Array): readonly unknown[];
  export function parseDbf(dbf: Uint8Array, cpg?: Uint8Array): readonly Readonly<Record<string, unknown>>[];
}
