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
  const read = (town?: Centre) =>
    // a text that cannot be read as a code can still be searched for
    remote("position", { text, ...(town && { town: { lat: town.lat, lon: town.lon } }) }, signal).catch(
      () => undefined,
    );
  const found = await read();
  if (!found || "lat" in found) return found;
  const town = await townCalled(found.town);
  const beside = town && (await read(town));
  return beside && "lat" in beside ? beside : undefined;
}
