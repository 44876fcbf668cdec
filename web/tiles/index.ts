/**
 * Vector tiles: position, content and encoding.
 * @module
 */
export { layersOf, MAX_ZOOM, parseTile, tileNames } from "./address.ts";
export { EXACT_ZOOM } from "./detail.ts";
export { encodeTile, readTile } from "./read-tile.ts";
