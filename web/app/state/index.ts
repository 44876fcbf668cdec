export { startCategoryNames } from "./category-names.ts";
export { chosenPlace } from "./chosen-place.ts";
export { askHost, isOnline, networkState, startConnection } from "./connection.ts";
export { presentPaths } from "./contents.ts";
export { foresee } from "./foresight.ts";
export * from "./guests.ts";
export * from "./map-settings.ts";
export { areNotesLost, keepNote, type Note, noteOf, notes, removeNote } from "./notes.ts";
export { orderedArgument } from "./ordered-argument.ts";
export * from "./panel.ts";
export { firstNumberOf, placeOf, rememberedPlace, rememberPlace } from "./places-in-list.ts";
export {
  chooseGround,
  chooseLanguage,
  chooseTheme,
  GROUNDS,
  ground,
  isDark,
  lostLanguage,
  startPreferences,
  THEMES,
  theme,
} from "./preferences.ts";
export { presentPlace } from "./present-place.ts";
export * from "./session.ts";
