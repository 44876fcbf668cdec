import type { Geometry } from "../format/geometry.ts";
import { decodeText } from "./decode-text.ts";
import { readDelimited } from "./delimited.ts";
import { finishTable } from "./finish-table.ts";
import type { RawTable } from "./raw-table.ts";
import { readJson } from "./read-json.ts";
import { type ReadOptions, type Table, TableError } from "./table.ts";

/** Reads a file of any supported format, which its content decides. Throws `TableError`. */
export function readTable(
  name: string,
  bytes: Uint8Array,
  options: ReadOptions & { readonly allowNoGeometry: true },
): Promise<Table<Geometry | null>>;
export function readTable(name: string, bytes: Uint8Array, options?: ReadOptions): Promise<Table>;
export async function readTable(
  name: string,
  bytes: Uint8Array,
  options: ReadOptions = {},
): Promise<Table<Geometry | null>> {
  return finishTable(await readRaw(name, bytes), options);
}

async function readRaw(name: string, bytes: Uint8Array): Promise<RawTable> {
  const decoded = decodeText(bytes);
  if (isJson(decoded.text)) return readJson(decoded);
  if (isBinary(decoded.text)) throw new TableError(`${name} is of no supported format`);
  return readDelimited(decoded);
}

const JSON_START =
  /^\s*(?:\)\]\}',?\s*)?(?:(?:(?:var|let|const)\s+)?[\w$.]+\s*=\s*|export\s+default\s+|[\w$.]+\(\s*)?[{[]/;

function isJson(text: string): boolean {
  return JSON_START.test(text.slice(0, 500).replace("\u001e", ""));
}

/** Control characters that no text has, or many bytes that no encoding explains. */
function isBinary(text: string): boolean {
  const start = text.slice(0, 2000);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const controls = start.match(/[\u0000-\u0008\u000e-\u001a]/g) ?? [];
  const unknown = start.match(/\ufffd/g) ?? [];
  return controls.length > start.length / 50 || unknown.length > start.length / 10;
}
