/**
 * Writes a dataset's vector tiles to one PMTiles file.
 * @module
 */
export { writeTiles } from "./write-tiles.ts";
