/**
 * Which zooms the basemap's tiles are made for.
 * @module
 */

/** Finest zoom the world's outlines are worth drawing at; the map enlarges beyond it. */
export const WORLD_MAX_ZOOM = 7;

/** Coarser tiles would read too much of a large dataset for what they show. */
export const LOCAL_MIN_ZOOM = 13;
export const LOCAL_MAX_ZOOM = 14;
/** Where buildings begin. */
export const BUILDINGS_MIN_ZOOM = 14;
