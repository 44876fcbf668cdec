/** A file's rows as a table of the SQL console. @module */
import {
  Binary,
  Bool,
  type DataType,
  Field,
  Float64,
  Struct,
  Table,
  tableToIPC,
  Utf8,
  type Vector,
} from "apache-arrow";
import { bboxOf } from "../../../../data/format/geometry.ts";
import { writeWkb } from "../../../../data/format/write-wkb.ts";
import type { Json } from "../../../engine/index.ts";
import type { FileRow } from "./file-rows.ts";
import { vectorOf } from "./vector-of.ts";

/** As the dataset's tables have it, so that `within_circle` takes it. */
const BBOX = new Struct(["xmin", "xmax", "ymin", "ymax"].map((name) => new Field(name, new Float64(), true)));
/** A number, and no code that begins with 0. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/**
 * The rows as an Arrow stream: the file's columns, then `geometry` as WKB and `bbox`. A column is of numbers or of booleans where
 * all its values are, else of text; values of several parts are JSON. DuckDB knows names without case: a second one gets a number.
 */
export function tableStream(rows: readonly FileRow[]): ArrayBuffer {
  const names = [...new Set(rows.flatMap(({ properties }) => Object.keys(properties)))];
  const taken = new Set(["geometry", "bbox"]);
  const columns: Record<string, Vector> = {};
  for (const name of names) {
    const values = rows.map(({ properties }) => properties[name] ?? null);
    columns[unusedName(name.trim() || "column", taken)] = columnOf(values);
  }
  columns.geometry = vectorOf(
    rows.map(({ geometry }) => writeWkb(geometry)),
    new Binary(),
  );
  columns.bbox = vectorOf(
    rows.map(({ geometry }) => {
      const [xmin, ymin, xmax, ymax] = bboxOf(geometry) ?? [null, null, null, null];
      return { xmin, xmax, ymin, ymax };
    }),
    BBOX,
  );
  return tableToIPC(new Table(columns), "stream").slice().buffer;
}

/** The name of the file's table: what nobody has to quote, and no table of the dataset is called. */
export function tableName(fileName: string, taken: ReadonlySet<string>): string {
  const plain = fileName
    .replace(/\.[^.]+$/, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 40);
  return unusedName(`my_${plain || "file"}`, new Set(taken));
}

/** The name, with the first number that makes it a new one; it is taken then. */
function unusedName(name: string, taken: Set<string>): string {
  let unused = name;
  for (let number = 2; taken.has(unused.toLowerCase()); number++) unused = `${name}_${number}`;
  taken.add(unused.toLowerCase());
  return unused;
}

function columnOf(values: readonly Json[]): Vector {
  const known = values.filter((value) => value !== null);
  const isAll = (is: (value: Json) => boolean) => known.length > 0 && known.every(is);
  if (isAll((value) => typeof value === "boolean")) return vectorOf(values, new Bool());
  if (isAll((value) => typeof value === "number" || (typeof value === "string" && NUMBER.test(value))))
    return vectorOf(
      values.map((value) => (value === null ? null : Number(value))),
      new Float64(),
    );
  const texts = values.map((value) => (value === null || typeof value === "string" ? value : JSON.stringify(value)));
  return vectorOf<DataType>(texts, new Utf8());
}
