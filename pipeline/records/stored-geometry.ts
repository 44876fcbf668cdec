import { readWkb } from "../../data/format/geometry.ts";
import { writeTwkb } from "../../data/format/twkb.ts";

/** TWKB where it holds every coordinate to the bit, else the WKB itself. */
export function shortest(wkb: Uint8Array): Uint8Array {
  return writeTwkb(readWkb(wkb)) ?? wkb;
}
