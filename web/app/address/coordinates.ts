/** Positions in degrees as text, and back. @module */

export interface Centre {
  readonly lon: number;
  readonly lat: number;
}

/** Decimals of degrees in texts: about 0.1 m. */
const COORDINATE_DECIMALS = 6;

/** Returns degrees as text with at most six decimals. */
export function coordinate(degrees: number): string {
  return String(Number(degrees.toFixed(COORDINATE_DECIMALS)));
}

/** Returns `latitude, longitude` for display, in the same order also within right-to-left text. */
export function centreText({ lat, lon }: Centre): string {
  return `\u2066${coordinate(lat)}, ${coordinate(lon)}\u2069`;
}

/** Parses a position `lat,lon` in degrees such as `43.73845,7.4246`; undefined for other texts and values out of range. */
export function parseLatLon(text: string): Centre | undefined {
  const [latText = "", lonText = "", ...others] = text.split(",");
  const [lat, lon] = [numberBetween(latText, -90, 90), numberBetween(lonText, -180, 180)];
  return lat === undefined || lon === undefined || others.length > 0 ? undefined : { lon, lat };
}

/** Parses a number from `min` to `max`; undefined for other texts and numbers. */
export function numberBetween(text: string, min: number, max: number): number | undefined {
  if (text.trim() === "") return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}
