/**
 * A dataset's vector tiles as one file, for programs that read PMTiles.
 * @module
 */
export { writeTiles } from "./write-tiles.ts";
