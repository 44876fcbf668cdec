/**
 * Cairn as a source of MapLibre's vector tiles.
 * @see https://maplibre.org/maplibre-gl-js/docs/API/functions/addProtocol/
 * @module
 */
import { RequestError } from "./request-error.ts";
import type { Cairn } from "./types.ts";

/** The parts of MapLibre's request that are used. */
export interface TileRequest {
  readonly url: string;
}

/** The second argument of MapLibre's `addProtocol`. */
export type TileProtocol = (
  request: TileRequest,
  controller: Pick<AbortController, "signal">,
) => Promise<{ readonly data: ArrayBuffer }>;

/**
 * Returns a handler for tile URLs such as `cairn://places/{z}/{x}/{y}`, with any name of the protocol. `places` may be any
 * collection, or a search path except `places/buildings`. The handler throws `RequestError` for a URL of another form, and for a
 * tile that cannot be made.
 */
export function cairnProtocol(cairn: Pick<Cairn, "fetch">): TileProtocol {
  return async ({ url }, { signal }) => {
    const [, tile = ""] = /^[^:]+:\/\/(.*)$/.exec(url) ?? [];
    if (tile.split("/").length !== 4) {
      throw new RequestError(`a tile URL must be <protocol>://<collection>/<z>/<x>/<y>, got ${url}`, 400);
    }
    const response = await cairn.fetch(`/tiles/${tile}.mvt`, { signal });
    if (response.ok) return { data: await response.arrayBuffer() };
    signal.throwIfAborted();
    const { message = [] } = (await response.json()) as { readonly message?: readonly string[] };
    throw new RequestError(message.join("; "), response.status);
  };
}
