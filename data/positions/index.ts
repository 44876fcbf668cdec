export { geohashCentre, h3Centres, isGeohash, isH3, isPlusCode, plusCodeCentre } from "./cells.ts";
export { besideTown, type Point, parseCode, parseLightCode, parseShortCode } from "./codes.ts";
