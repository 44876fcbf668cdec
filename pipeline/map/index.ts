export { addCredits } from "./credits.ts";
export { MAP_SCRIPTS } from "./files.ts";
export { initMap } from "./init.ts";
export { setPage } from "./page.ts";
export { areaOf, FOLDERS, type MapArea, type MapSettings, readSettings, SETTINGS_FILE, typesOf } from "./settings.ts";
