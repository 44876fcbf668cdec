/** Rows that the schema allows and that no sensible source has, as SQL. @module */
import { type DuckDBType, DuckDBTypeId } from "@duckdb/node-api";
import type { Collection } from "../../data/format/collections.ts";
import type { Geometry, Position } from "../../data/format/geometry.ts";
import { writeWkb } from "../../data/format/write-wkb.ts";
import { type Random, randomFrom } from "../../web/engine/testing/random.ts";
import { type Database, quoteIdentifier, quoteLiteral } from "../database/index.ts";

const TEXTS = [
  "",
  " ",
  "a",
  "A b",
  "Ångström Straße",
  "東京 タワー",
  "القاهرة",
  "e\u0301 and é",
  "x".repeat(300),
  '"quoted", \\back\\ and \'single\'',
  "line\nbreak\ttab",
  "nul\u0000in it",
  "\u0001\u001f\u007f",
  "\u{10ffff}\u{1f3f3}\u200d\u{1f308}",
  "\ufeffmark",
  "\u202eright to left",
  "null",
  "NaN",
  "-Infinity",
  "__proto__",
  "name:x",
  "*",
  "XX",
  "../..%2f",
  "{}",
  "0",
  "550E8400-E29B-41D4-A716-446655440000",
  "550e8400-e29b-41d4-a716-446655440000",
];
const COUNTRIES = ["MC", "mc", "XX", "ZZ", "AA", "*", "", "M", "MCO", "1", "é", null];
const DOUBLES = ["'NaN'", "'Infinity'", "'-Infinity'", "-0.0", "1e308", "5e-324", "0.1", "1e21", "-1", "0", "123456789.125"];
const INTEGERS = ["-2147483648", "2147483647", "0", "-1", "7"];
const NULL_SHARE = 0.25;

/** SQL of a value of the type. */
function valueSql(type: DuckDBType, name: string, random: Random): string {
  if (random.between(0, 1) < NULL_SHARE) return `NULL::${type}`;
  const several = <T>(make: (index: number) => T): T[] => Array.from({ length: random.below(4) }, (_, i) => make(i));
  switch (type.typeId) {
    case DuckDBTypeId.STRUCT:
      return `struct_pack(${type.entryNames
        .map((member, i) => `${quoteIdentifier(member)} := ${valueSql(type.entryTypes[i] ?? type, member, random)}`)
        .join(", ")})::${type}`;
    case DuckDBTypeId.LIST:
      return `[${several(() => valueSql(type.valueType, name, random)).join(", ")}]::${type}`;
    case DuckDBTypeId.MAP: {
      const keys = [...new Set(several(() => random.of(["en", "de", "", "x-é", "__proto__", "zh-Hant", "a\"b"])))];
      const values = keys.map(() => valueSql(type.valueType, name, random));
      return `map([${keys.map(quoteLiteral).join(", ")}]::VARCHAR[], [${values.join(", ")}]::${type.valueType}[])::${type}`;
    }
    case DuckDBTypeId.DOUBLE:
      return `${random.of(DOUBLES)}::DOUBLE`;
    case DuckDBTypeId.INTEGER:
      return random.of(INTEGERS);
    case DuckDBTypeId.BOOLEAN:
      return random.of(["true", "false"]);
    default:
      return textSql(random.of(TEXTS));
  }
}

/** Quoted text cannot have a NUL. */
function textSql(text: string | null): string {
  if (text === null) return "NULL::VARCHAR";
  return text.split("\u0000").map(quoteLiteral).join(" || chr(0) || ");
}

const NUMBERS = [0, 1e-9, 45.5, 89.999999999, 90, -90];
const LONS = [0, 7.42, 179.9999999, 180, -180, -1e-12];

function position(random: Random): Position {
  if (random.below(2) === 0) return [random.between(-180, 180), random.between(-90, 90)];
  return [random.of(LONS), random.of(NUMBERS)];
}

function geometryOf(random: Random): Geometry {
  const line = (most: number) => Array.from({ length: 2 + random.below(most) }, () => position(random));
  const ring = () => {
    const open = line(4);
    return [...open, random.of(open), ...open.slice(0, 1)];
  };
  const [lon, lat] = [random.between(7, 8), random.between(43, 44)];
  const small: Position[] = [[lon, lat], [lon + 0.01, lat], [lon, lat + 0.01], [lon, lat]];
  switch (random.below(9)) {
    case 0:
      return { type: "LineString", coordinates: line(5) };
    case 1:
      return { type: "Polygon", coordinates: [ring()] };
    case 2:
      return { type: "MultiPolygon", coordinates: [[ring()], [small]] };
    case 3:
      return { type: "MultiPoint", coordinates: line(3) };
    case 4:
      return { type: "MultiLineString", coordinates: [line(2), line(2)] };
    case 5:
      return { type: "Polygon", coordinates: [small] };
    case 6:
      return { type: "GeometryCollection", geometries: [{ type: "Point", coordinates: position(random) }] };
    default:
      return { type: "Point", coordinates: position(random) };
  }
}

/** Hexadecimal WKB, sometimes of no use. */
function wkbHex(random: Random): string | null {
  const whole = Buffer.from(writeWkb(geometryOf(random))).toString("hex");
  switch (random.below(40)) {
    case 0:
      return null;
    case 1:
      return "";
    case 2:
      return whole.slice(0, 2 * random.below(whole.length / 2));
    case 3:
      return `${whole.slice(0, 10)}${Buffer.from(new Float64Array([Number.NaN, 1]).buffer).toString("hex")}${whole.slice(42)}`;
    case 4:
      return Buffer.from(writeWkb({ type: "Polygon", coordinates: [] })).toString("hex");
    default:
      return whole;
  }
}

export interface HostileOptions {
  readonly rows: number;
  readonly seed: number;
}

/** Writes such rows of the collection as a source, in Parquet. */
export async function writeHostileRows(
  database: Database,
  { columns, countryRule }: Collection,
  path: string,
  { rows, seed }: HostileOptions,
): Promise<void> {
  const random = randomFrom(seed);
  const own = columns.filter(({ name }) => name !== "bbox" && name !== "geometry" && name !== "id");
  const described = await database.columns(
    `SELECT ${own.map(({ name, type }) => `NULL::${type} AS ${quoteIdentifier(name)}`).join(", ")}`,
  );
  const countries = countryRule === "declared" ? ["country"] : [];
  const types = described.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`);
  await database.run(
    `CREATE OR REPLACE TABLE hostile (${["id VARCHAR", "geometry BLOB", ...types, ...countries.map((name) => `${name} VARCHAR`)].join(", ")})`,
  );
  for (let row = 0; row < rows; row++) {
    const hex = wkbHex(random);
    const ids = [`row ${row}`, `${row}'"\\é`, uuidOf(random)];
    const values = [
      textSql(random.below(20) === 0 ? random.of([...TEXTS, null]) : random.of(ids)),
      hex === null ? "NULL" : `unhex('${hex}')`,
      ...described.map(({ name, type }) => valueSql(type, name, random)),
      ...countries.map(() => textSql(random.of(COUNTRIES))),
    ];
    await database.run(`INSERT INTO hostile SELECT ${values.join(", ")}`);
  }
  await database.run(`COPY hostile TO ${quoteLiteral(path)} (FORMAT parquet)`);
}

function uuidOf(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.below(16).toString(16)).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
