declare module "utm" {
  /** Throws a RangeError for numbers that no zone has. */
  export function toLatLon(
    easting: number,
    northing: number,
    zone: number,
    letter: undefined,
    isNorthern: boolean,
  ): { latitude: number; longitude: number };
}
