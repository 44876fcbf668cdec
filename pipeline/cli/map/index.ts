export { MAP_SCRIPTS } from "./files.ts";
export { copyTableOptions, type InitOptions, initMap } from "./init.ts";
export { addCredits, copyLogo, refuseUnknownFilters, setPage, writeElementSettings } from "./page.ts";
export {
  areaOf,
  FOLDERS,
  isShopMap,
  type MapArea,
  type MapSettings,
  pinnedKeys,
  readSettings,
  refuseOtherKey,
  SETTINGS_FILE,
  typesOf,
} from "./settings.ts";
