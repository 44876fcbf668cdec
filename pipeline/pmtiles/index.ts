/**
 * A dataset's vector tiles as one file, for programs that read PMTiles.
 * @module
 */
export { type TilesOptions, type WrittenTiles, writeTiles } from "./write-tiles.ts";
