import { cutGeometry } from "../../../data/format/cut-geometry.ts";
import { writeShort } from "../../../data/format/fine-point.ts";
import { readWkb } from "../../../data/format/geometry.ts";
import { fitPart } from "./fit-groups.ts";

/**
 * Returns the geometry of WKB as TWKB or as a fine point if that keeps every coordinate exactly, otherwise the same
 * WKB. Throws if the WKB is damaged.
 */
export function shortest(wkb: Uint8Array): Uint8Array {
  return writeShort(readWkb(wkb)) ?? wkb;
}

interface StoredGeometry {
  /** In points and records: TWKB, a fine point or WKB; the table of parts of a long geometry. */
  readonly geometry: Uint8Array;
  /** The parts of a long geometry, in order. */
  readonly parts?: readonly Uint8Array[];
}

/**
 * Returns how points and records store a geometry in WKB: as `shortest` does, or if it is long and can be cut, as a
 * table of parts and the parts. Throws if the WKB is damaged.
 */
export async function storedGeometry(wkb: Uint8Array, dictionary: Uint8Array): Promise<StoredGeometry> {
  const geometry = shortest(wkb);
  const cut = await cutGeometry(geometry, (part) => fitPart(part, dictionary).length);
  return cut ? { geometry: cut.table, parts: cut.parts } : { geometry };
}
