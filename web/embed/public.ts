/**
 * What the module gives for browsers and for Node alike.
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
export { RequestError } from "./request-error.ts";
export type {
  Cairn,
  DatasetDescription,
  Feature,
  Iterate,
  OpenOptions,
  PathName,
  Properties,
  Reversed,
  ReverseParameters,
  SearchPage,
  SearchParameters,
  Suggestion,
  SuggestParameters,
} from "./types.ts";
