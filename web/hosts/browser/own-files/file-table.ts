/** The rows of a file as a table of the SQL console. @module */
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
import type { FileRow } from "./read-file.ts";
import { vectorOf } from "./vector-of.ts";

/** The type of `bbox` in the dataset's tables, so that `within_circle` accepts files too. */
const BBOX = new Struct(["xmin", "xmax", "ymin", "ymax"].map((name) => new Field(name, new Float64(), true)));
/** A number, but not a code that starts with 0. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/**
 * Returns the rows as an Arrow stream: the columns of the file, then `geometry` as WKB and `bbox`. A column is numeric or boolean
 * if all its values are, otherwise text; nested values are JSON. Of names that differ only in case, later ones get a number.
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

/** Returns a name for the file's table. It needs no quotes, starts with `my_`, and is not in `taken`. */
export function tableName(fileName: string, taken: ReadonlySet<string>): string {
  const plain = fileName
    .replace(/\.[^.]+$/, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 40);
  return unusedName(`my_${plain || "file"}`, new Set(taken));
}

/** Returns the name, with a number if it is taken in any case of letters. Adds the returned name to `taken`. */
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
