export { MAP_SCRIPTS } from "./files.ts";
export { initMap } from "./init.ts";
export { addCredits, setPage } from "./page.ts";
export { areaOf, FOLDERS, type MapArea, type MapSettings, readSettings, SETTINGS_FILE, typesOf } from "./settings.ts";
