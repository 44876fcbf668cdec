/** Links to a position in other programs. @module */
import { encodeText } from "../address/index.ts";
import type { MessageKey } from "../text/index.ts";

interface Elsewhere {
  readonly key: MessageKey;
  readonly href: string;
}

interface Place {
  readonly lon: number;
  readonly lat: number;
  readonly name: string;
}

/** Returns the URL of directions to a position, on a site that needs no account. */
export function directionsTo({ lon, lat }: Pick<Place, "lon" | "lat">): string {
  return `https://www.openstreetmap.org/directions?to=${lat.toFixed(6)}%2C${lon.toFixed(6)}`;
}

/**
 * Returns links that show a position, or directions to it, in other programs. Nothing is requested before the user follows one.
 */
export function elsewhere({ lon, lat, name }: Place): readonly Elsewhere[] {
  const [x, y] = [lon, lat].map((degrees) => degrees.toFixed(6));
  const named = encodeText(name);
  return [
    { key: "detail.openstreetmap", href: `https://www.openstreetmap.org/?mlat=${y}&mlon=${x}#map=18/${y}/${x}` },
    { key: "detail.apple", href: `https://maps.apple.com/?ll=${y},${x}&q=${named}` },
    { key: "detail.google", href: `https://www.google.com/maps/search/?api=1&query=${y},${x}` },
    { key: "detail.app", href: `geo:${y},${x}?q=${y},${x}(${named})` },
    { key: "detail.directions", href: directionsTo({ lon, lat }) },
  ];
}
