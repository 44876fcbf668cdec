/**
 * Exports shared by the modules for browsers and Node.
 * @module
 */
export {
  type GeocoderApi,
  type GeocoderConfig,
  type GeocoderFeature,
  type GeocoderFeatures,
  maplibreGeocoder,
} from "./maplibre-geocoder.ts";
export { cairnProtocol, type TileProtocol, type TileRequest } from "./maplibre-protocol.ts";
export { type RegisterOptions, type Registration, register } from "./register.ts";
export { RequestError } from "./request-error.ts";
export type {
  Attribution,
  Cairn,
  CountParameters,
  Counts,
  DatasetDescription,
  Feature,
  Iterate,
  OpenOptions,
  OwnCountParameters,
  OwnSearchParameters,
  PathName,
  Properties,
  Reversed,
  ReverseParameters,
  SearchPage,
  SearchParameters,
  Suggestion,
  SuggestParameters,
} from "./types.ts";
