export { startCategoryNames } from "./category-names.ts";
export { chosenPlace } from "./chosen-place.ts";
export { askHost, isOnline, networkState, startConnection } from "./connection.ts";
export { foresee } from "./foresight.ts";
export {
  type Guest,
  guestFeatures,
  guestShapes,
  guestWish,
  isElsewhere,
  searchWish,
  showBox,
  showFound,
  showSearch,
  zoomTo,
  zoomWish,
} from "./guests.ts";
export { mapSettings, offeredLanguages } from "./map-settings.ts";
export { orderedArgument } from "./ordered-argument.ts";
export {
  closePanel,
  consoleSql,
  isBesideOpen,
  openConsole,
  openPanel,
  PANEL_NAMES,
  type PanelName,
  panel,
} from "./panel.ts";
export { placeOf, rememberedPlace, rememberPlace } from "./places-in-list.ts";
export { chooseLanguage, chooseTheme, isDark, startPreferences, THEMES, theme } from "./preferences.ts";
export { presentPlace } from "./present-place.ts";
export { clickedAt, readerPlace } from "./reader-place.ts";
export {
  changeSearch,
  dataset,
  draft,
  type Found,
  found,
  hovered,
  isSearching,
  type Problem,
  pageState,
  problem,
  refused,
  rememberView,
  retry,
  search,
  searchNames,
  select,
  selected,
  startSession,
} from "./session.ts";
export { raiseSheet, SHEET_STOPS, sheetStop } from "./sheet.ts";
export { shownBox } from "./shown-box.ts";
