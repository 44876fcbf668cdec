/** Columns of coordinates by their names, in the page's languages and the usual schemas. @module */

const LAT = [
  ...["lat", "latitude", "latitud", "latitudine", "latitudes", "breite", "breitengrad", "geobreite", "緯度", "纬度"],
  ...["خطالعرض", "العرض", "अक्षांश", "широта", "breedtegraad", "szerokość", "latdd", "latitudee7", "late7"],
];
const LNG = [
  ...["lon", "lng", "long", "longitude", "longitud", "longitudine", "longitudes", "länge", "laenge", "längengrad"],
  ...[
    "laengengrad",
    "geolänge",
    "経度",
    "經度",
    "经度",
    "خطالطول",
    "الطول",
    "देशांतर",
    "देशान्तर",
    "रेखांश",
    "долгота",
    "lengtegraad",
  ],
  ...["długość", "londd", "longdd", "longitudee7", "lone7", "lnge7"],
];
const Y = [
  "y",
  "ycoord",
  "coordy",
  "pointy",
  "northing",
  "northings",
  "nordwert",
  "hochwert",
  "norte",
  "geoy",
  "koordy",
];
const X = ["x", "xcoord", "coordx", "pointx", "easting", "eastings", "ostwert", "rechtswert", "este", "geox", "koordx"];

/** Columns that hold a whole geometry, the likeliest first. */
const GEOMETRY = [
  ...[
    "geometry",
    "geom",
    "wkt",
    "the_geom",
    "geojson",
    "wkb",
    "wkb_geometry",
    "shape",
    "geo_shape",
    "geo",
    "geography",
  ],
  ...["location", "geo_point_2d", "geo_point", "geopoint", "point", "coordinates", "coords", "coordinate", "position"],
  ...[
    "latlng",
    "latlong",
    "lat_lng",
    "lat_lon",
    "lat_long",
    "lnglat",
    "lonlat",
    "lon_lat",
    "georeference",
    "gps",
    "loc",
  ],
  ...[
    "koordinaten",
    "koordinate",
    "coordonnees",
    "coordenadas",
    "coordinate",
    "coordinata",
    "座標",
    "坐标",
    "الإحداثيات",
    "निर्देशांक",
  ],
  ...["plus_code", "pluscode", "olc", "geohash", "h3", "h3_index", "h3_cell", "hex_id"],
];

/** Names of the two columns with a table's coordinates. */
export interface CoordinatePair {
  readonly lat: string;
  readonly lng: string;
  /** True for names such as `x` and `y`, which may be coordinates of any reference system. */
  readonly isProjected: boolean;
}

/**
 * Returns a name for comparison: in lower case, words joined by `_`, without accents of Latin letters, and without
 * text in brackets, such as a unit.
 */
export function plainName(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/[([][^)\]]*[)\]]/g, " ")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1_$2")
    .toLowerCase()
    .normalize("NFD")
    .replace(/(?<=[a-z])\p{M}+/gu, "")
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "");
}

const plainSet = (names: readonly string[]): ReadonlySet<string> => new Set(names.map(plainName));
const [LAT_WORDS, LNG_WORDS, Y_WORDS, X_WORDS] = [LAT, LNG, Y, X].map(plainSet) as [
  ReadonlySet<string>,
  ReadonlySet<string>,
  ReadonlySet<string>,
  ReadonlySet<string>,
];
const GEOMETRY_NAMES = GEOMETRY.map(plainName);

/** Returns all pairs of columns whose names mean coordinates, the likeliest first. */
export function coordinatePairs(names: readonly string[]): CoordinatePair[] {
  const geographic = pairs(names, LAT_WORDS, LNG_WORDS).map((pair) => ({ ...pair, isProjected: false }));
  const others = pairs(names, Y_WORDS, X_WORDS).map((pair) => ({ ...pair, isProjected: true }));
  return [...geographic, ...others];
}

/**
 * Returns the pair of columns whose names most likely mean coordinates: longitude and latitude, otherwise `x` (as
 * `lon`) and `y` (as `lat`) of any reference system. Undefined if there is no pair.
 */
export function coordinateColumns(
  names: readonly string[],
): { readonly lon: string; readonly lat: string } | undefined {
  const [pair] = coordinatePairs(names);
  return pair && { lon: pair.lng, lat: pair.lat };
}

/** Returns the columns whose names mean geometries, such as `geom`, the likeliest first. */
export function geometryColumns(names: readonly string[]): string[] {
  const rank = (name: string) => {
    const plain = plainName(name);
    const at = GEOMETRY_NAMES.indexOf(plain);
    return at >= 0 ? at : GEOMETRY_NAMES.indexOf(plain.replaceAll("_", ""));
  };
  return names.filter((name) => rank(name) >= 0).sort((a, b) => rank(a) - rank(b));
}

/** Returns the column whose name most likely means a geometry, such as `geom`; undefined if there is none. */
export function geometryColumn(names: readonly string[]): string | undefined {
  return geometryColumns(names)[0];
}

/** A pair has the same words but for the axis: `stop_lat` and `stop_lon`. */
function pairs(names: readonly string[], first: ReadonlySet<string>, second: ReadonlySet<string>) {
  const found: { readonly lat: string; readonly lng: string; readonly words: number }[] = [];
  const lngs = names.map((name) => ({ name, split: splitAxis(name, second) }));
  for (const lat of names) {
    const own = splitAxis(lat, first);
    if (!own) continue;
    const same = lngs.find(({ split }) => split && split.rest === own.rest);
    if (same) found.push({ lat, lng: same.name, words: own.rest === "" ? 0 : own.rest.split("_").length });
  }
  if (found.length > 0) return found.sort((a, b) => a.words - b.words);
  // names in different styles: one of each is clear
  const [lats, others] = [names.filter((name) => splitAxis(name, first)), lngs.filter(({ split }) => split)];
  const [lat, lng] = [lats[0], others[0]?.name];
  return lats.length === 1 && others.length === 1 && lat !== undefined && lng !== undefined
    ? [{ lat, lng, words: 9 }]
    : [];
}

/** The rest of the name without the word of the axis; undefined for other names. */
function splitAxis(name: string, axis: ReadonlySet<string>): { readonly rest: string } | undefined {
  const plain = plainName(name);
  if (axis.has(plain) || axis.has(plain.replaceAll("_", ""))) return { rest: "" };
  const words = plain.split("_");
  const at = words.findIndex((word) => axis.has(word));
  return at < 0 ? undefined : { rest: words.toSpliced(at, 1).join("_") };
}
