/** The most likely first. */
const LON_NAMES = ["lon", "lng", "long", "longitude", "x"];
const LAT_NAMES = ["lat", "latitude", "y"];
const GEOMETRY_NAMES = ["geometry", "geom", "wkt", "the_geom", "geojson", "wkb", "shape"];

/** Returns the names of the columns of longitude and latitude, or undefined when one is missing. */
export function coordinateColumns(names: readonly string[]): { lon: string; lat: string } | undefined {
  const [lon, lat] = [firstOf(names, LON_NAMES), firstOf(names, LAT_NAMES)];
  return lon !== undefined && lat !== undefined ? { lon, lat } : undefined;
}

/** Returns the name of the column of geometries, or undefined. */
export function geometryColumn(names: readonly string[]): string | undefined {
  return firstOf(names, GEOMETRY_NAMES);
}

function firstOf(names: readonly string[], wanted: readonly string[]): string | undefined {
  const plain = (name: string) => name.trim().toLowerCase();
  return wanted.map((one) => names.find((name) => plain(name) === one)).find((name) => name !== undefined);
}
