/** Where the geometries of a table are: columns by choice, by name, or by content. @module */

import { type Position, readWkb } from "../format/geometry.ts";
import { messageOf } from "../format/message-of.ts";
import { sridOf } from "../format/wkb-header.ts";
import { parseWkt } from "../format/wkt.ts";
import { geohashCentre, h3Centre, isGeohash, isH3, isPlusCode, plusCodeCentre } from "../positions/index.ts";
import { type CoordinatePair, coordinatePairs, geometryColumns, plainName } from "./column-names.ts";
import { type Degrees, parseDegrees, parsePair } from "./degrees.ts";
import { anglePartsOf, utmZones } from "./pair-columns.ts";
import { checkGeometry, parseGeometry, shown } from "./parse-geometry.ts";
import { parseJson } from "./parse-json.ts";
import { GeometryFault, isEmpty, NO_GEOMETRY, type RawGeometry, type RawRow } from "./raw-table.ts";
import { type ReadOptions, TableError } from "./table.ts";
import { hasDecimalComma, isMissing, parseNumber } from "./values.ts";

interface FoundGeometry {
  readonly geometry: RawGeometry;
  /** Code of the reference system in EWKT or EWKB. */
  readonly srid?: number;
}

/** How the geometry of a row is read. */
export interface GeometrySource {
  /** Names of the columns with the geometry. */
  readonly from: readonly string[];
  /** Of these columns, those that contain nothing but the geometry. */
  readonly onlyGeometry: readonly string[];
  readonly notes: readonly string[];
  /**
   * The two columns, if the geometry is read from a pair of columns. They may be swapped, which `finishTable` checks.
   */
  readonly pair?: CoordinatePair;
  readonly read: (row: RawRow) => FoundGeometry;
}

interface TextTable {
  readonly columns: readonly string[];
  readonly rows: readonly RawRow[];
  readonly delimiter?: string;
  readonly geometryColumn?: string;
}

/**
 * Returns how the geometries of a table are read: from the columns in the options, otherwise from those found by name
 * and content. Undefined if no column has geometries. Throws `TableError` for options that do not fit.
 */
export async function findGeometrySource(table: TextTable, options: ReadOptions): Promise<GeometrySource | undefined> {
  const isCrsGiven = options.crs !== undefined;
  const chosen = chosenColumns(table, options);
  if (chosen.geometry !== undefined) {
    const column = columnSource(table, chosen.geometry, { share: 0, isNamed: true });
    if (!column) {
      const value = table.rows
        .map(({ values }) => values[table.columns.indexOf(chosen.geometry ?? "")])
        .find((one) => !isEmpty(one));
      throw new TableError(
        `column ${chosen.geometry} contains no geometries (for example ${shown(value ?? "nothing")}): WKT, WKB, GeoJSON, "lat, lng", geohash, plus code and H3 are read`,
      );
    }
    return column;
  }
  if (chosen.pair) return pairSource(table, chosen.pair, isCrsGiven);
  const stated =
    table.geometryColumn === undefined
      ? undefined
      : columnSource(table, table.geometryColumn, { share: 0, isNamed: true });
  if (stated) return stated;
  const pairs = coordinatePairs(table.columns).filter((pair) => hasNumbers(table, pair));
  const named = geometryColumns(table.columns).map((name) => columnSource(table, name, { share: 0.5, isNamed: true }));
  const others = table.columns.map((name) => columnSource(table, name, { share: 0.9, isNamed: false }));
  const columns = [...named, ...others].filter((source) => source !== undefined);
  const whole = columns.find(({ kind }) => WHOLE.has(kind));
  // a reference system was given for projected coordinates
  const pair = (isCrsGiven ? pairs.find(({ isProjected }) => isProjected) : undefined) ?? pairs[0];
  const isNamedPair = pair !== undefined && !pair.isProjected;
  if (whole) {
    return pair ? withFallback(whole, pairSource(table, pair, isCrsGiven)) : whole;
  }
  const point = columns.find(({ kind }) => kind === "pair" || kind === "object" || kind === "array") ?? columns[0];
  if (pair && (isNamedPair || !point || isCrsGiven)) {
    const other = pairs.find((one) => one !== pair && !one.isProjected);
    const source = pairSource(table, pair, isCrsGiven);
    const note = `coordinates are read from ${pair.lat} and ${pair.lng}; --lat and --lng choose others, for example ${other?.lat} and ${other?.lng}`;
    return other ? { ...source, notes: [...source.notes, note] } : source;
  }
  return point;
}

function chosenColumns({ columns }: TextTable, { lat, lng, geometry }: ReadOptions) {
  const column = (option: string, wanted: string): string => {
    const found =
      columns.find((name) => name === wanted) ??
      columns.find((name) => name.trim().toLowerCase() === wanted.trim().toLowerCase());
    if (found === undefined)
      throw new TableError(`--${option} ${wanted}: no such column; the columns are ${columns.join(", ")}`);
    return found;
  };
  if (geometry !== undefined) return { geometry: column("geometry", geometry) };
  if (lat === undefined && lng === undefined) return {};
  if (lat === undefined || lng === undefined)
    throw new TableError(
      `--${lat === undefined ? "lng" : "lat"} needs --${lat === undefined ? "lat" : "lng"}, too: coordinates are in two columns`,
    );
  return { pair: { lat: column("lat", lat), lng: column("lng", lng), isProjected: false } };
}

/** A latitude or longitude of a cell; undefined for other values. */
function degreesOf(
  value: unknown,
  options: { readonly decimalComma: boolean; readonly isProjected: boolean },
): Degrees | undefined {
  if (typeof value === "number") return { value };
  if (typeof value === "bigint") return { value: Number(value) };
  if (typeof value !== "string") return undefined;
  if (!options.isProjected) return parseDegrees(value, options.decimalComma);
  const number = parseNumber(value, options.decimalComma);
  return Number.isNaN(number) ? parseDegrees(value, options.decimalComma) : { value: number };
}

function hasNumbers({ columns, rows }: TextTable, { lat, lng }: CoordinatePair): boolean {
  const [y, x] = [columns.indexOf(lat), columns.indexOf(lng)];
  const as = { decimalComma: false, isProjected: false };
  return rows.some(({ values }) => degreesOf(values[y], as) && degreesOf(values[x], as));
}

function pairSource(table: TextTable, pair: CoordinatePair, isCrsGiven: boolean): GeometrySource {
  const [y, x] = [table.columns.indexOf(pair.lat), table.columns.indexOf(pair.lng)];
  const as = { decimalComma: hasDecimalComma(table), isProjected: pair.isProjected || isCrsGiven };
  const scale = /e7$/i.test(pair.lat) && /e7$/i.test(pair.lng) ? 1e7 : 1;
  const parts = { lat: anglePartsOf(table, pair.lat, "lat"), lng: anglePartsOf(table, pair.lng, "lng") };
  const isDegrees = ({ values }: RawRow) => Math.abs(degreesOf(values[x], as)?.value ?? 0) <= 540;
  const utm = pair.isProjected && !isCrsGiven && !table.rows.every(isDegrees) ? utmZones(table) : undefined;
  const partNames = [parts.lat, parts.lng].flatMap(({ names }) => names);
  const notes: string[] = [];
  if (utm) notes.push(`coordinates are read as UTM of WGS 84, with zones in ${utm.name}`);
  else if (partNames.length > 0) notes.push(`parts of the coordinates are read from ${partNames.join(", ")}`);
  return {
    from: [pair.lat, pair.lng],
    onlyGeometry: isCrsGiven || notes.length > 0 ? [] : [pair.lat, pair.lng],
    notes,
    pair,
    read({ values }) {
      const [rawLat, rawLng] = [values[y], values[x]];
      if (isEmpty(rawLat) && isEmpty(rawLng))
        return { geometry: new GeometryFault("no coordinates", `${pair.lat} and ${pair.lng} are empty`) };
      const [lat, lng] = [degreesOf(rawLat, as), degreesOf(rawLng, as)];
      if (!lat || lat.axis === "lng") return { geometry: notCoordinate(pair.lat, rawLat) };
      if (!lng || lng.axis === "lat") return { geometry: notCoordinate(pair.lng, rawLng) };
      if (utm) {
        const srid = utm.codeOf(values);
        if (srid === undefined) return { geometry: notCoordinate(utm.name, values[table.columns.indexOf(utm.name)]) };
        return { geometry: { type: "Point", coordinates: [lng.value, lat.value] }, srid };
      }
      const wrong = parts.lat.wrongIn(values) ?? parts.lng.wrongIn(values);
      if (wrong !== undefined) return { geometry: notCoordinate(wrong, values[table.columns.indexOf(wrong)]) };
      const whole = [parts.lng.whole(lng.value, values), parts.lat.whole(lat.value, values)] as const;
      return { geometry: { type: "Point", coordinates: [whole[0] / scale, whole[1] / scale] } };
    },
  };
}

function notCoordinate(column: string, value: unknown): GeometryFault {
  return isEmpty(value) || isMissing(value)
    ? new GeometryFault("no coordinates", `${column} is ${isEmpty(value) ? "empty" : shown(value)}`)
    : new GeometryFault("not a coordinate", `${column}: ${shown(value)}`);
}

type Kind = "wkt" | "wkb" | "geojson" | "pair" | "object" | "array" | "plus" | "h3" | "geohash";
const WHOLE: ReadonlySet<Kind> = new Set(["wkt", "wkb", "geojson"]);

const WKT =
  /^\s*(?:SRID=\d+;)?\s*(?:MULTI|COMPOUND|CIRCULAR|CURVE|POLYHEDRAL)?(?:POINT|LINESTRING|POLYGON|STRING|CURVE|SURFACE|GEOMETRYCOLLECTION|TIN|TRIANGLE)\s*(?:ZM|Z|M)?\s*(?:\(|EMPTY)/i;
const HEX_WKB = /^(?:\\x|0x)?0[01](?:[0-9a-f]{2}){8,}$/i;
const SAMPLE_ROWS = 500;

function kindOf(value: unknown): Kind | undefined {
  if (value instanceof Uint8Array) return (value[0] ?? 2) < 2 && value.length > 8 ? "wkb" : undefined;
  if (Array.isArray(value))
    return value.length === 2 && value.every((one) => typeof one === "number") ? "array" : undefined;
  if (typeof value === "object" && value !== null) {
    if ("type" in value && ("coordinates" in value || "geometries" in value)) return "geojson";
    return objectPair(value) ? "object" : undefined;
  }
  if (typeof value !== "string") return undefined;
  if (WKT.test(value)) return "wkt";
  if (HEX_WKB.test(value.trim())) return "wkb";
  if (/^\s*[{[]/.test(value)) {
    const kind = kindOf(jsonOf(value));
    if (kind !== undefined) return kind;
  }
  if (isPlusCode(value)) return "plus";
  if (isH3(value)) return "h3";
  if (parsePair(value)) return "pair";
  return isGeohash(value) ? "geohash" : undefined;
}

/** Words such as `Perth`, and numbers, have the form of a geohash, too. */
const hasDigitAndLetter = (value: unknown): boolean => /\d/.test(String(value)) && /[a-z]/i.test(String(value));

interface ColumnSource extends GeometrySource {
  readonly kind: Kind;
  readonly column: ColumnValues;
}

/** The column read as geometries; undefined where less than a share of its values are. */
function columnSource(
  { columns, rows }: TextTable,
  name: string,
  { share, isNamed }: { readonly share: number; readonly isNamed: boolean },
): ColumnSource | undefined {
  const at = columns.indexOf(name);
  const values = rows.map((row) => row.values[at]).filter((value) => !isEmpty(value));
  const sample = values.slice(0, SAMPLE_ROWS);
  const counts = new Map<Kind, number>();
  const isGeohashes = share === 0 || plainName(name).replaceAll("_", "") === "geohash";
  for (const value of sample) {
    const kind = kindOf(value);
    if (kind === "geohash" && !isGeohashes && !hasDigitAndLetter(value)) continue;
    if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const [best] = [...counts].sort(([, a], [, b]) => b - a);
  if (!best || best[1] < Math.max(1, share * sample.length)) return undefined;
  const [kind] = best;
  if (!isNamed && (kind === "geohash" || kind === "array")) return undefined;
  const decimals = sample.filter((value) => /\d[.,]\d.*\d[.,]\d/s.test(String(value)));
  if (!isNamed && kind === "pair" && decimals.length < share * sample.length) return undefined;
  const column = { at, name, values };
  return { from: [name], kind, column, ...READERS[kind](column) };
}

interface ColumnValues {
  readonly at: number;
  readonly name: string;
  readonly values: readonly unknown[];
}

type ColumnReader = Pick<GeometrySource, "onlyGeometry" | "notes" | "read">;

const READERS: Readonly<Record<Kind, (column: ColumnValues) => ColumnReader>> = {
  wkt: ({ at, name, values }) => ({
    onlyGeometry: values.every(
      (value) => !/\b(Z|M|ZM)\b|[TGNE]Z?M?\s*\(\s*\(*[-\d.e]+\s+[-\d.e]+\s+[-\d.e]/i.test(String(value)),
    )
      ? [name]
      : [],
    notes: [],
    read: ({ values: row }) => wktGeometry(row[at]),
  }),
  wkb: ({ at, name }) => ({ onlyGeometry: [name], notes: [], read: ({ values }) => wkbGeometry(values[at]) }),
  geojson: ({ at, name }) => ({
    onlyGeometry: [name],
    notes: [],
    read: ({ values }) => ({
      geometry: parseGeometry(typeof values[at] === "string" ? jsonOf(values[at]) : values[at]),
    }),
  }),
  pair: pairText,
  object: ({ at, name, values }) => ({
    onlyGeometry: values.every((value) => objectPair(partsOf(value))?.isWhole) ? [name] : [],
    notes: [],
    read({ values: row }) {
      if (isEmpty(row[at])) return { geometry: NO_GEOMETRY };
      const pair = objectPair(partsOf(row[at]));
      return { geometry: pair ? { type: "Point", coordinates: [pair.lng, pair.lat] } : notCoordinate(name, row[at]) };
    },
  }),
  array: arrayPair,
  plus: (column) => cellReader(column, plusCodeCentre),
  geohash: (column) => cellReader(column, geohashCentre),
  h3: (column) => cellReader(column, h3Centre),
};

function cellReader({ at, name }: ColumnValues, centre: (text: string) => Position | undefined): ColumnReader {
  return {
    onlyGeometry: [],
    notes: ["points are the centres of cells"],
    read({ values }) {
      if (isEmpty(values[at])) return { geometry: NO_GEOMETRY };
      const position = centre(String(values[at]));
      return { geometry: position ? { type: "Point", coordinates: position } : notCoordinate(name, values[at]) };
    },
  };
}

function withFallback(source: GeometrySource, pair: GeometrySource): GeometrySource {
  let isUsed = false;
  return {
    ...source,
    get from() {
      return isUsed ? [...source.from, ...pair.from] : source.from;
    },
    read(row) {
      const found = source.read(row);
      if (found.geometry !== NO_GEOMETRY) return found;
      const other = pair.read(row);
      if (other.geometry instanceof GeometryFault) return found;
      isUsed = true;
      return other;
    },
  };
}

function pairText({ at, name, values }: ColumnValues): ColumnReader {
  const pairs = values.map((value) => parsePair(String(value))).filter((pair) => pair !== undefined);
  const beyond = (pick: "first" | "second") => pairs.some((pair) => Math.abs(pair[pick].value) > 90);
  const isNamedFirst = /^(lon|lng|long|x|easting)/.test(plainName(name));
  const isLngFirst = beyond("first") ? !beyond("second") : isNamedFirst && !beyond("second");
  return {
    onlyGeometry: pairs.length === values.length && pairs.every(({ isWhole }) => isWhole) ? [name] : [],
    notes: isLngFirst && !isNamedFirst ? [`${name} is read as "longitude, latitude"`] : [],
    read({ values: row }) {
      if (isEmpty(row[at])) return { geometry: NO_GEOMETRY };
      const pair = parsePair(String(row[at]));
      if (!pair) return { geometry: notCoordinate(name, row[at]) };
      const isSwapped =
        pair.first.axis === "lng" || pair.second.axis === "lat" || (isLngFirst && pair.first.axis === undefined);
      const [lat, lng] = isSwapped ? [pair.second, pair.first] : [pair.first, pair.second];
      return { geometry: { type: "Point", coordinates: [lng.value, lat.value] } };
    },
  };
}

function arrayPair({ at, name, values }: ColumnValues): ColumnReader {
  const numbers = values.map(partsOf).filter((value) => kindOf(value) === "array") as (readonly [number, number])[];
  const isLatFirst =
    /lat|geo_?point/.test(plainName(name)) && !/^(lon|lng)/.test(plainName(name))
      ? !numbers.some(([first]) => Math.abs(first) > 90)
      : numbers.some(([, second]) => Math.abs(second) > 90);
  return {
    onlyGeometry: [name],
    notes: [`${name} is read as [${isLatFirst ? "latitude, longitude" : "longitude, latitude"}]`],
    read({ values: row }) {
      const value = partsOf(row[at]);
      if (isEmpty(value)) return { geometry: NO_GEOMETRY };
      if (kindOf(value) !== "array") return { geometry: notCoordinate(name, row[at]) };
      const [first, second] = value as readonly [number, number];
      return { geometry: { type: "Point", coordinates: isLatFirst ? [second, first] : [first, second] } };
    },
  };
}

const MAX_OBJECT_DEPTH = 3;

/** Latitude and longitude of an object that names them, otherwise of the first object in it that does. */
function objectPair(
  value: unknown,
  depth = 0,
): { readonly lat: number; readonly lng: number; readonly isWhole: boolean } | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value) || depth > MAX_OBJECT_DEPTH) return undefined;
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members);
  const pair = coordinatePairs(names)[0];
  const as = { decimalComma: false, isProjected: false };
  const [lat, lng] = pair ? [pair.lat, pair.lng].map((name) => degreesOf(members[name], as)?.value) : [];
  if (lat !== undefined && lng !== undefined) return { lat, lng, isWhole: names.length === 2 };
  for (const member of Object.values(members)) {
    const inner = objectPair(member, depth + 1);
    if (inner) return { ...inner, isWhole: false };
  }
  return undefined;
}

function partsOf(value: unknown): unknown {
  return typeof value === "string" ? jsonOf(value) : value;
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function wktGeometry(value: unknown): FoundGeometry {
  if (isEmpty(value)) return { geometry: NO_GEOMETRY };
  const text = String(value).trim();
  const srid = /^SRID=(\d+);/i.exec(text)?.[1];
  const geometry = parseWkt(text);
  if (geometry) return { geometry: checkGeometry(geometry), ...(srid === undefined ? {} : { srid: Number(srid) }) };
  const word = /^(?:SRID=\d+;)?\s*([A-Z]+)/i.exec(text)?.[1]?.toUpperCase();
  if (/\bEMPTY\b/i.test(text)) return { geometry: new GeometryFault("empty geometry", shown(text)) };
  const isKnown = word !== undefined && /^(MULTI)?(POINT|LINESTRING|POLYGON)(Z|M|ZM)?$|^GEOMETRYCOLLECTION/.test(word);
  const isKind = word !== undefined && WKT.test(text) && !isKnown;
  return {
    geometry: isKind
      ? new GeometryFault("geometry type not supported", word)
      : new GeometryFault("not a geometry", shown(text)),
  };
}

function wkbGeometry(value: unknown): FoundGeometry {
  if (isEmpty(value)) return { geometry: NO_GEOMETRY };
  const bytes = value instanceof Uint8Array ? value : bytesOfHex(String(value).trim());
  if (!bytes) return { geometry: new GeometryFault("not a geometry", shown(value)) };
  try {
    const [geometry, srid] = [checkGeometry(readWkb(bytes)), sridOf(bytes)];
    return { geometry, ...(srid === undefined ? {} : { srid }) };
  } catch (error) {
    return { geometry: new GeometryFault("WKB is damaged", messageOf(error)) };
  }
}

function bytesOfHex(text: string): Uint8Array | undefined {
  if (!HEX_WKB.test(text)) return undefined;
  const digits = text.replace(/^(\\x|0x)/i, "");
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}
