/**
 * Opens files of OpenStreetMap. Their content decides about the format.
 * @module
 */
import { parseJson } from "../parse-json.ts";
import type { OsmBytes, OsmFile } from "./elements.ts";
import { isOsmJson, openOsmJson } from "./read-osm-json.ts";
import { isOsmXml, openOsmXml } from "./read-osm-xml.ts";
import { isOsmPbf, openOsmPbf } from "./read-pbf.ts";

const START_BYTES = 4096;

/** Returns an array of bytes as `OsmBytes`. */
export function bytesInMemory(bytes: Uint8Array): OsmBytes {
  return { byteLength: bytes.byteLength, read: async (start, end) => bytes.subarray(start, end) };
}

/**
 * Opens a file of OpenStreetMap: PBF, XML, or JSON of Overpass. Undefined for other files. PBF and XML are read in
 * parts, JSON as a whole. Damage in PBF or XML is found when the blocks are read.
 */
export async function openOsm(bytes: OsmBytes): Promise<OsmFile | undefined> {
  const start = await bytes.read(0, Math.min(bytes.byteLength, START_BYTES));
  if (isOsmPbf(start)) return openOsmPbf(bytes);
  const text = new TextDecoder().decode(start);
  if (isOsmXml(text)) return openOsmXml(bytes);
  if (!/^[\ufeff\s]*\{/.test(text) || !/"(osm3s|elements)"\s*:/.test(text)) return undefined;
  const value = jsonOf(new TextDecoder().decode(await bytes.read(0, bytes.byteLength)));
  return isOsmJson(value) ? openOsmJson(value) : undefined;
}

/** Damaged JSON is left to the reader of JSON, which says where. */
function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
