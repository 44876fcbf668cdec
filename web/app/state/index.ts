export * from "../settings/map-settings.ts";
export { BASE_MAPS, THEMES } from "../settings/stored-theme.ts";
export { startCategoryNames } from "./category-names.ts";
export { chosenLocation } from "./chosen-location.ts";
export { askHost, isOnline, networkState, startConnection } from "./connection.ts";
export { presentPaths } from "./contents.ts";
export { choose, firstNumberOf, indexOf, rememberedPosition, rememberPosition, selection } from "./list.ts";
export { areNotesLost, keepNote, type Note, noteOf, notes, removeNote } from "./notes.ts";
export { orderedArgument } from "./ordered-argument.ts";
export * from "./overlays.ts";
export * from "./panel.ts";
export {
  baseMap,
  chooseBaseMap,
  chooseLanguage,
  chooseTheme,
  isDark,
  lostLanguage,
  offeredLanguages,
  startPreferences,
  theme,
} from "./preferences.ts";
export { prefetch } from "./prefetch.ts";
export { presentLocation } from "./present-location.ts";
export * from "./session.ts";
