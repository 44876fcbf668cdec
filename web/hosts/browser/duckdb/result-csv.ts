import type { Table } from "apache-arrow";
import { csvLine } from "../../../search/index.ts";
import { rowTexts } from "./result-cells.ts";

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
