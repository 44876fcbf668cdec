export { localTiles } from "./local-tiles.ts";
export { ICON_NAMES } from "./place-icons.ts";
export { placeTiles } from "./place-tiles.ts";
export type { World, WorldCountry, WorldWater } from "./world.ts";
export { type MakeTile, worldTiles } from "./world-tiles.ts";
