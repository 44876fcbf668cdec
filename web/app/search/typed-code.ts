/** Codes of positions in the search box. Their program is loaded when a text may be one. @module */
import { loadPart } from "../../hosts/browser/parts/index.ts";
import type { Centre } from "../address/index.ts";
import { mayBeCode } from "./typed-location.ts";

/** Returns the position of a code; undefined for any other text. `townCalled` finds where a short plus code is. */
export async function codedPoint(
  text: string,
  townCalled: (name: string) => Promise<Centre | undefined>,
): Promise<Centre | undefined> {
  if (!mayBeCode(text)) return undefined;
  const { besideTown, parseCode, parseShortCode } = await loadPart(() => import("../../../data/positions/index.ts"));
  const short = parseShortCode(text);
  if (!short) return parseCode(text);
  const town = await townCalled(short.town);
  return town && besideTown(short.code, town);
}
