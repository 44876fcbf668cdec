declare module "mgrs" {
  /** Longitude and latitude of the middle of the square. Throws for a text that is no MGRS. */
  export function toPoint(mgrs: string): [number, number];
}
