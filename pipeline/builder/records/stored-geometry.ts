import { readWkb } from "../../../data/format/geometry.ts";
import { writeTwkb } from "../../../data/format/twkb.ts";

/** Returns TWKB if it represents every coordinate exactly, otherwise WKB. */
export function shortest(wkb: Uint8Array): Uint8Array {
  return writeTwkb(readWkb(wkb)) ?? wkb;
}
