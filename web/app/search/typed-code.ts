/** Codes of positions in the search box. A worker reads them, because its libraries are large. @module */
import type { Centre } from "../address/index.ts";
import { remote } from "../worker/index.ts";
import { mayBeCode } from "./typed-location.ts";

/** Returns the position of a code; undefined for any other text. `townCalled` finds where a short plus code is. */
export async function codedPoint(
  text: string,
  signal: AbortSignal,
  townCalled: (name: string) => Promise<Centre | undefined>,
): Promise<Centre | undefined> {
  if (!mayBeCode(text)) return undefined;
  const found = await remote("position", { text }, signal);
  if (!found || "lat" in found) return found;
  const town = await townCalled(found.town);
  const beside = town && (await remote("position", { text, town: { lat: town.lat, lon: town.lon } }, signal));
  return beside && "lat" in beside ? beside : undefined;
}
