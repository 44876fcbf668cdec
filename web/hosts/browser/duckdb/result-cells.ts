import { type Table, Type } from "apache-arrow";
import { writeWkt } from "../../../../data/format/wkt.ts";
import { geometryOfWkb, jsonOf } from "../own-files/index.ts";

/** Nobody reads a country's outline in a cell. */
const MOST_CHARS = 300;

/** A text for each column, at most so long; null where there is no value. */
export function rowTexts(table: Table, row: number, mostChars = MOST_CHARS): (string | null)[] {
  return table.schema.fields.map(({ type }, column) => {
    const value: unknown = table.getChildAt(column)?.get(row);
    const geometry = type.typeId === Type.Binary ? geometryOfWkb(value) : undefined;
    const json = geometry ? writeWkt(geometry) : jsonOf(type, value);
    if (json === null) return null;
    const text = typeof json === "object" ? JSON.stringify(json) : String(json);
    return text.length > mostChars ? `${text.slice(0, mostChars)}…` : text;
  });
}
