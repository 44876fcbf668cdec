export type { GeocoderPath } from "./geocoder-path.ts";
/**
 * Finds places by words, and records at a point, on top of the typed search, for all interfaces.
 * @module
 */
export { LAYERS } from "./located.ts";
export { nominatimLookup, nominatimReverse, nominatimSearch } from "./nominatim.ts";
export { type NominatimBody, nominatimBody, nominatimBodyOfOne } from "./nominatim-formats.ts";
export { NOMINATIM_PATHS, parseNominatim } from "./nominatim-parameters.ts";
export { photonFeatures, photonReverse, photonStatus } from "./photon.ts";
export { PHOTON_PATHS, parsePhoton } from "./photon-parameters.ts";
export { addressOf, lineOfAddress, nameOf } from "./record-parts.ts";
export { DEFAULT_REVERSE_METERS, parseReverse, REVERSE_PATH, type Reversed, runReverse } from "./reverse.ts";
export { positionOf, recordsAt } from "./typed-position.ts";
export {
  AUTOCOMPLETE_PATH,
  parseText,
  recordsOf,
  shownSuggestion,
  TEXT_SEARCH_PATH,
} from "./words.ts";
