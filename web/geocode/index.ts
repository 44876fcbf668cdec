/**
 * Finds places by words, and records at a point, on top of the typed search, for all interfaces.
 * @module
 */
export { photonFeatures, photonReverse, photonStatus } from "./photon.ts";
export { LAYERS, PHOTON_PATHS, type PhotonPath, parsePhoton } from "./photon-parameters.ts";
export { addressOf, lineOfAddress, nameOf } from "./record-parts.ts";
export { DEFAULT_REVERSE_METERS, parseReverse, REVERSE_PATH, type Reversed, runReverse } from "./reverse.ts";
export {
  AUTOCOMPLETE_PATH,
  parseText,
  recordsOf,
  shownSuggestion,
  TEXT_SEARCH_PATH,
} from "./words.ts";
