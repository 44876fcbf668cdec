/** GeoJSON in its variants, Esri JSON, TopoJSON, and lists of objects. @see https://www.rfc-editor.org/rfc/rfc7946 @module */
import { messageOf } from "../format/message-of.ts";
import { coordinateColumns, geometryColumn } from "./column-names.ts";
import type { DecodedText } from "./decode-text.ts";
import { parseGeometry, shown } from "./parse-geometry.ts";
import { parseJson, withExactIntegers, withoutNaN } from "./parse-json.ts";
import {
  columnsOfObjects,
  GeometryFault,
  NO_GEOMETRY,
  type RawGeometry,
  type RawRow,
  type RawTable,
} from "./raw-table.ts";
import { statedCrs } from "./stated-geometry.ts";
import { TableError, type TableReject } from "./table.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a text with GeoJSON, Esri JSON, TopoJSON, a list of objects, or one of these values per line. Throws
 * `TableError` for other text, and for other JSON.
 */
export async function readJson({ text, encoding, notes }: DecodedText): Promise<RawTable> {
  const { values, rejects, isSequence, isLenient } = parseTexts(text);
  const [value] = values;
  const table = isSequence ? lines(values) : await tableOf(value);
  const lenient = isLenient ? ["NaN and Infinity, which are no JSON, are read as no value"] : [];
  return {
    ...table,
    rejects: [...rejects, ...(table.rejects ?? [])],
    encoding,
    notes: [...notes, ...lenient, ...(table.notes ?? [])],
  };
}

interface ParsedTexts {
  readonly values: readonly unknown[];
  readonly rejects: readonly TableReject[];
  readonly isSequence: boolean;
  readonly isLenient: boolean;
}

/** One value, or one per line (GeoJSON lines, text sequences with RS). */
function parseTexts(given: string): ParsedTexts {
  const plain = plainJson(given);
  const strict = withoutNaN(plain);
  const isLenient = strict !== plain;
  const text = withExactIntegers(strict);
  let whole: unknown;
  try {
    return { values: [parseJson(text.replaceAll("\u001e", ""))], rejects: [], isSequence: false, isLenient };
  } catch (error) {
    whole = error;
  }
  const isRecords = text.includes("\u001e");
  const parts = isRecords ? text.slice(text.indexOf("\u001e") + 1).split("\u001e") : text.split(/\r\n?|\n/);
  const values: unknown[] = [];
  const rejects: TableReject[] = [];
  for (const [index, part] of parts.entries()) {
    const line = part.trim().replace(/,$/, "");
    if (line === "") continue;
    try {
      values[index] = parseJson(line);
    } catch (error) {
      rejects.push({ line: index + 1, reason: "damaged JSON", detail: messageOf(error) });
    }
  }
  const taken = Object.keys(values).length;
  if (taken === 0 || rejects.length > taken) throw new TableError(`the JSON is damaged: ${messageOf(whole)}`);
  return { values, rejects, isSequence: true, isLenient };
}

/** Without what scripts put around JSON: `var data = {...};`, `callback({...})`, anti-hijacking prefixes. */
function plainJson(text: string): string {
  const plain = text.replace(/^[\ufeff\s]+/, "");
  const script =
    /^(?:(?:var|let|const)\s+)?(?:window\.)?[\w$.]+\s*=\s*(?=[{[])/.exec(plain) ??
    /^export\s+default\s+(?=[{[])/.exec(plain);
  if (script) return plain.slice(script[0].length).replace(/;?\s*$/, "");
  const call = /^[\w$.]+\(\s*(?=[{[])/.exec(plain);
  if (call) return plain.slice(call[0].length).replace(/\)\s*;?\s*$/, "");
  return plain.replace(/^\)\]\}',?\s*/, "");
}

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

/** One value a line: features or plain objects. A line without a value is undefined. */
function lines(values: readonly unknown[]): RawTable {
  const items = Object.entries(values).map(([index, value]) => ({ line: Number(index) + 1, value }));
  const isFeatures = items.some(({ value }) => isFeature(value));
  if (isFeatures) return features(items, "geojson-lines");
  return objects(items, "json-lines");
}

const isFeature = (value: unknown): boolean => {
  const { type, geometry, properties } = membersOf(value);
  return type === "Feature" || (isObject(properties) && (isObject(geometry) || geometry === null));
};

const numbered = (values: readonly unknown[]) => values.map((value, index) => ({ line: index + 1, value }));

async function tableOf(value: unknown): Promise<RawTable> {
  if (Array.isArray(value)) return listTable(value);
  const members = membersOf(value);
  const { type } = members;
  if (type === "Topology") return topology(members);
  const crs = statedCrs(members.crs);
  const stated = crs === undefined ? {} : { crs };
  if (type === "FeatureCollection" || (Array.isArray(members.features) && members.features.some(isFeature))) {
    if (!Array.isArray(members.features)) throw new TableError("the FeatureCollection has no list of features");
    return {
      ...features(numbered(members.features), "geojson"),
      ...stated,
      notes: partNotes(members, members.features.length),
    };
  }
  if (Array.isArray(members.features) && members.features.some((one) => isObject(membersOf(one).attributes)))
    return esri(members);
  if (isFeature(value)) return { ...features(numbered([value]), "geojson"), ...stated };
  if ("coordinates" in members || type === "GeometryCollection")
    return { ...features(numbered([{ geometry: value }]), "geojson"), ...stated };
  const named = namedRows(members);
  if (named) return { format: "json", ...named };
  const only = onlyList(members);
  if (only) {
    const table = await listTable(only.values);
    return { ...table, notes: [...(table.notes ?? []), `rows are the members of ${only.name}`] };
  }
  const fault = membersOf(members.error).message ?? members.error ?? members.message;
  if (typeof fault === "string") throw new TableError(`the file is an error of a service: ${shown(fault)}`);
  const entries = Object.entries(members);
  if (entries.length > 0 && entries.every(([, one]) => isObject(one) && coordinatesIn(one))) {
    // objects by their key, as Firebase has them
    const rows = entries.map(([key, one]) => ({ key, ...membersOf(one) }));
    return objects(numbered(rows), "json");
  }
  throw new TableError(
    `the JSON has the members ${Object.keys(members).slice(0, 10).join(", ")}: GeoJSON, Esri JSON, TopoJSON or a list of objects is expected`,
  );
}

const coordinatesIn = (value: unknown): boolean => {
  const names = Object.keys(membersOf(value));
  return coordinateColumns(names) !== undefined || geometryColumn(names) !== undefined;
};

/** Names of columns, and rows as lists of values: from pandas (`split`), ClickHouse, Datasette and Socrata. */
function namedRows(members: Members): { readonly columns: string[]; readonly rows: RawRow[] } | undefined {
  const rows = [members.data, members.rows].find((one) => Array.isArray(one) && one.every(Array.isArray));
  const view = membersOf(membersOf(members.meta).view);
  const names = [members.columns, members.meta, view.columns].find(Array.isArray)?.map((one: unknown) => {
    const { name } = membersOf(one);
    return String(name ?? one);
  });
  if (!Array.isArray(rows) || rows.length === 0 || !names?.length) return undefined;
  if (!rows.every((row) => row.length === names.length)) return undefined;
  return { columns: names, rows: rows.map((values, index) => ({ line: index + 1, values })) };
}

/** Objects in an object that may contain the list of rows, such as `{"response": {"venues": [...]}}`. */
const MAX_LIST_DEPTH = 3;

/** The only list of objects of the members, otherwise of the members of their objects. */
function onlyList(members: Members): { readonly name: string; readonly values: readonly unknown[] } | undefined {
  let level: readonly (readonly [string, unknown])[] = Object.entries(members);
  for (let depth = 0; depth < MAX_LIST_DEPTH; depth++) {
    const lists = level.flatMap(([name, values]) =>
      Array.isArray(values) && values.some(isObject) ? [{ name, values }] : [],
    );
    if (lists.length > 0) return lists.length === 1 ? lists[0] : undefined;
    level = level.flatMap(([name, value]) =>
      Object.entries(membersOf(value)).map(([inner, one]) => [`${name}.${inner}`, one] as const),
    );
  }
  return undefined;
}

/** A note if a service returned only a part of its rows. */
function partNotes(
  { numberMatched, totalFeatures, exceededTransferLimit, properties }: Members,
  rows: number,
): string[] {
  const all = [numberMatched, totalFeatures].find((count) => typeof count === "number");
  if (typeof all === "number" && all > rows)
    return [`the file has ${rows} of the ${all} rows of its service: ask the service for all of them`];
  if (exceededTransferLimit === true || membersOf(properties).exceededTransferLimit === true)
    return ["the service left out rows (exceededTransferLimit): ask it for all of them"];
  return [];
}

async function listTable(values: readonly unknown[]): Promise<RawTable> {
  if (values.some(isFeature)) return features(numbered(values), "geojson");
  if (values.some((value) => Array.isArray(membersOf(value).features))) {
    return features(numbered(values), "geojson");
  }
  if (
    values.length > 0 &&
    values.every(
      (value) =>
        "coordinates" in membersOf(value) && "type" in membersOf(value) && Object.keys(membersOf(value)).length === 2,
    )
  )
    return features(numbered(values.map((geometry) => ({ geometry }))), "geojson");
  const [first] = values;
  if (Array.isArray(first) && first.every((name) => typeof name === "string")) {
    // a table as a list of lists, the names first
    const [, ...rows] = values;
    return {
      format: "json",
      columns: first,
      rows: rows.map((row, index) => ({ line: index + 2, values: Array.isArray(row) ? row : [] })),
    };
  }
  return objects(numbered(values), "json");
}

interface Item {
  readonly line: number;
  readonly value: unknown;
}

function objects(items: readonly Item[], format: string): RawTable {
  const rejects = items
    .filter(({ value }) => !isObject(value))
    .map(({ line, value }) => ({ line, reason: "not an object", detail: shown(value) }));
  const taken = items.filter(({ value }) => isObject(value));
  const { columns, valuesOf } = columnsOfObjects(taken.map(({ value }) => withoutBindings(membersOf(value))));
  return { format, columns, rows: taken.map(({ line }, index) => ({ line, values: valuesOf(index) })), rejects };
}

/** The values of a row of SPARQL results, which are in objects such as `{"type": "literal", "value": "x"}`. */
function withoutBindings(members: Members): Members {
  const isBinding = (value: unknown) => /^(uri|literal|typed-literal|bnode)$/.test(String(membersOf(value).type));
  const entries = Object.entries(members);
  if (entries.length === 0 || !entries.every(([, one]) => isBinding(one) && "value" in membersOf(one))) return members;
  return Object.fromEntries(entries.map(([name, one]) => [name, membersOf(one).value]));
}

/** Features of collections in collections are taken, too. */
function flat(items: readonly Item[], depth = 0): Item[] {
  return items.flatMap((item) => {
    const { features: inner } = membersOf(item.value);
    if (!Array.isArray(inner) || depth > 4) return [item];
    return flat(
      inner.map((value) => ({ line: item.line, value })),
      depth + 1,
    );
  });
}

/** Members of a feature beyond GeoJSON's own are columns, too: old files have them there. */
const OWN_MEMBERS = new Set(["type", "geometry", "properties", "id", "bbox", "crs", "links", "assets", "_id"]);

function features(given: readonly Item[], format: string): RawTable {
  const items = flat(given);
  const rejects: TableReject[] = [];
  const taken: { readonly line: number; readonly geometry: RawGeometry; readonly values: Members }[] = [];
  for (const { line, value } of items) {
    if (!isObject(value)) {
      rejects.push({ line, reason: "not a feature", detail: shown(value) });
      continue;
    }
    const { id, geometry, properties, ...members } = membersOf(value);
    const isBare = properties === undefined && geometry === undefined && "coordinates" in members;
    const others = Object.fromEntries(Object.entries(members).filter(([name]) => !OWN_MEMBERS.has(name)));
    const own = membersOf(properties);
    const hasId = (typeof id === "string" || typeof id === "number") && own.id === undefined;
    taken.push({
      line,
      geometry: parseGeometry(isBare ? value : geometry),
      values: { ...(hasId ? { id } : {}), ...(isBare ? {} : others), ...own },
    });
  }
  const { columns, valuesOf } = columnsOfObjects(taken.map(({ values }) => values));
  const rows = taken.map(({ line, geometry }, index): RawRow => ({ line, geometry, values: valuesOf(index) }));
  return { format, columns, rows, rejects, geometryFrom: "geometry" };
}

function esri(members: Members): RawTable {
  const items = (members.features as readonly unknown[]).map(membersOf);
  const { latestWkid, wkid, wkt } = membersOf(members.spatialReference);
  const fields = Array.isArray(members.fields) ? members.fields.map(membersOf) : [];
  const dates = new Set(fields.filter(({ type }) => type === "esriFieldTypeDate").map(({ name }) => name));
  const { columns, valuesOf } = columnsOfObjects(items.map(({ attributes }) => membersOf(attributes)));
  const code = latestWkid ?? wkid;
  return {
    format: "esri-json",
    columns,
    rows: items.map(({ geometry }, index) => ({
      line: index + 1,
      geometry: esriGeometry(geometry),
      values: valuesOf(index).map((value, at) =>
        dates.has(columns[at]) && typeof value === "number" ? new Date(value) : value,
      ),
    })),
    geometryFrom: "geometry",
    notes: partNotes(members, items.length),
    ...(code !== undefined ? { crs: `EPSG:${code}` } : typeof wkt === "string" ? { crs: wkt } : {}),
  };
}

function esriGeometry(value: unknown): RawGeometry {
  const { x, y, points, paths, rings } = membersOf(value);
  if (value === null || value === undefined) return NO_GEOMETRY;
  if (x !== undefined || y !== undefined) {
    return x === "NaN" || x === null ? NO_GEOMETRY : parseGeometry({ type: "Point", coordinates: [x, y] });
  }
  if (Array.isArray(points)) return parseGeometry({ type: "MultiPoint", coordinates: points });
  if (Array.isArray(paths)) {
    return parseGeometry(
      paths.length === 1
        ? { type: "LineString", coordinates: paths[0] }
        : { type: "MultiLineString", coordinates: paths },
    );
  }
  if (Array.isArray(rings)) {
    const polygons = polygonsOf(rings);
    return parseGeometry(
      polygons.length === 1
        ? { type: "Polygon", coordinates: polygons[0] }
        : { type: "MultiPolygon", coordinates: polygons },
    );
  }
  return new GeometryFault("geometry type not supported", shown(value));
}

/** Esri's outer rings are clockwise; the holes after one belong to it. */
function polygonsOf(rings: readonly unknown[]): unknown[][] {
  const polygons: unknown[][] = [];
  for (const ring of rings) {
    const positions = Array.isArray(ring) ? (ring as readonly (readonly [number, number])[]) : [];
    let area = 0;
    for (const [index, [x2, y2]] of positions.entries()) {
      const [x1, y1] = positions.at(index - 1) ?? [0, 0];
      area += x1 * y2 - x2 * y1;
    }
    const last = polygons.at(-1);
    if (area <= 0 || !last) polygons.push([ring]);
    else last.push(ring);
  }
  return polygons;
}

async function topology(value: Members): Promise<RawTable> {
  const { feature } = await import("topojson-client");
  const names = Object.keys(membersOf(value.objects));
  try {
    const collections = names.map((name) => feature(value as never, name));
    const all = collections.flatMap((one) =>
      membersOf(one).type === "FeatureCollection" ? (membersOf(one).features as unknown[]) : [one],
    );
    const layers = names.length > 1 ? [`rows are from the objects ${names.join(", ")}`] : [];
    return { ...features(numbered(all), "topojson"), notes: layers };
  } catch (error) {
    throw new TableError(`the TopoJSON is damaged: ${messageOf(error)}`);
  }
}
