import type { DecodeParquet } from "../../../engine/index.ts";
import { MOST_FILE_BYTES } from "../protocol/index.ts";
import { FileError, type FileRows } from "./file-rows.ts";
import { readGeoJson } from "./read-geojson.ts";
import { readGeoParquet } from "./read-geoparquet.ts";
import { readCsv } from "./read-table.ts";

/** The rows of the file. Throws `FileError` when it cannot be taken. */
export async function readFile(file: Blob & { readonly name: string }, decode: DecodeParquet): Promise<FileRows> {
  if (file.size > MOST_FILE_BYTES) throw new FileError({ code: "bytes", bytes: file.size });
  const bytes = new Uint8Array(await file.arrayBuffer());
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 64)).replace(/^\u00ef\u00bb\u00bf/, "");
  if (start.startsWith("PAR1")) return readGeoParquet(bytes, decode);
  const ending = /\.([^.]+)$/.exec(file.name)?.[1]?.toLowerCase();
  if (/^\s*[{[]/.test(start)) return readGeoJson(textOf(bytes));
  if (["csv", "tsv", "txt"].includes(ending ?? "") || file.type === "text/csv") return readCsv(textOf(bytes));
  throw new FileError({ code: "format", got: ending === undefined ? file.type || file.name : `.${ending}` });
}

/** UTF-8; tables of older programs are in Windows' own code. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
