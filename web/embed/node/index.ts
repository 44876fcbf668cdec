/**
 * The ES module `cairn`, for Node.
 * @module
 */
import { setMaxListeners } from "node:events";
import { fileURLToPath } from "node:url";
import { openDataset } from "../../engine/index.ts";
import { httpSource } from "../../hosts/http/index.ts";
import { folderSource } from "../../hosts/node/folder-source.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { createCairn } from "../cairn.ts";
import type { Cairn, OpenOptions } from "../types.ts";

export {
  type GeocoderApi,
  type GeocoderConfig,
  type GeocoderFeature,
  type GeocoderFeatures,
  maplibreGeocoder,
} from "../maplibre-geocoder.ts";
export { cairnProtocol, type TileProtocol, type TileRequest } from "../maplibre-protocol.ts";
export { RequestError } from "../request-error.ts";
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
} from "../types.ts";

/** Opens the dataset in a folder, or below an `http:` or `https:` URL. Throws `ManifestError` when there is none. */
export async function open(location: string | URL, { signal, cacheBytes }: OpenOptions = {}): Promise<Cairn> {
  const place = location instanceof URL && location.protocol === "file:" ? fileURLToPath(location) : String(location);
  const dataset = openDataset({
    source: /^https?:\/\//.test(place) ? httpSource(place) : folderSource(place),
    decode: decodeParquet,
    executor: "scan",
    ...(cacheBytes === undefined ? {} : { cacheBytes }),
  });
  await dataset.manifest(signal);
  // a search reads many files at once, and each listens for the abort
  return createCairn({ location: place, dataset, prepare: (request) => setMaxListeners(0, request.signal) });
}
