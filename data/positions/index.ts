export { geohashCentre, isGeohash, isPlusCode, plusCodeCentre } from "./cells.ts";
export { nearTown, type Point, parseCode, parseShortCode } from "./codes.ts";
export { h3Centre, isH3 } from "./h3.ts";
