export { localTiles } from "./local-tiles.ts";
export type { World, WorldCountry } from "./world.ts";
export { type MakeTile, worldTiles } from "./world-tiles.ts";
