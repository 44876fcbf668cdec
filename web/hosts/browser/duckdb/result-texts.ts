import { type Table, Type } from "apache-arrow";
import { writeWkt } from "../../../../data/format/wkt.ts";
import { csvLine } from "../../../search/index.ts";
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

/** CSV in UTF-8 of the first rows of the chunks; a value that is none is an empty cell. */
export function resultCsv(chunks: readonly Table[], mostRows: number): Uint8Array {
  const [first] = chunks;
  const lines = first ? [csvLine(first.schema.fields.map(({ name }) => name))] : [];
  let left = mostRows;
  for (const chunk of chunks) {
    for (let row = 0; row < chunk.numRows && left > 0; row++, left--) {
      lines.push(csvLine(rowTexts(chunk, row, Number.POSITIVE_INFINITY).map((text) => text ?? "")));
    }
  }
  return new TextEncoder().encode(lines.join(""));
}
