/**
 * Vector tiles: where a tile lies, what of a dataset is in it, and how it is written.
 * @module
 */
export { layersOf, MAX_ZOOM, parseTile, tileNames } from "./address.ts";
export { EXACT_ZOOM } from "./detail.ts";
export { encodeTile, readTile } from "./read-tile.ts";
