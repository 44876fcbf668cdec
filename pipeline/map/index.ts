export { MAP_SCRIPTS } from "./files.ts";
export { copyTableOptions, type InitOptions, initMap } from "./init.ts";
export { addCredits, copyLogo, refuseUnknownFilters, setPage, writeElementSettings } from "./page.ts";
export {
  areaOf,
  FOLDERS,
  isShopMap,
  type MapArea,
  type MapSettings,
  readSettings,
  SETTINGS_FILE,
  typesOf,
} from "./settings.ts";
