/**
 * Parses tile addresses, and finds the layers of a tile.
 * @module
 */
import type { CollectionName } from "../../data/format/collections.ts";
import type { Manifest } from "../../data/format/manifest.ts";
import { isKnown } from "../../data/format/own-collections.ts";
import type { TileId } from "../../data/format/tile-id.ts";
import { ParameterError, SEARCH_PATHS } from "../search/index.ts";

export const MAX_ZOOM = 20;

/** A tile address as texts of a URL. */
interface TileParts {
  readonly z: string;
  readonly x: string;
  readonly y: string;
}

/**
 * Returns the tile of the texts: whole numbers, `z` at most 20, `x` and `y` below 2^z. Throws `ParameterError` with every fault.
 */
export function parseTile({ z, x, y }: TileParts): TileId {
  const zoom = numberOf(z, MAX_ZOOM);
  const last = 2 ** (zoom ?? MAX_ZOOM) - 1;
  const [column, row] = [numberOf(x, last), numberOf(y, last)];
  const fault = (name: string, text: string, most: number) =>
    `${name} must be a whole number from 0 to ${most}, got ${JSON.stringify(text)}`;
  const faults = [
    ...(zoom === undefined ? [fault("z", z, MAX_ZOOM)] : []),
    ...(column === undefined ? [fault("x", x, last)] : []),
    ...(row === undefined ? [fault("y", y, last)] : []),
  ];
  if (zoom === undefined || column === undefined || row === undefined) throw new ParameterError(faults);
  return { z: zoom, x: column, y: row };
}

function numberOf(text: string, most: number): number | undefined {
  return /^\d{1,8}$/.test(text) && Number(text) <= most ? Number(text) : undefined;
}

/**
 * Returns the collections that are the layers of tiles under this name: a collection, or a search path such as `places` with its
 * default collections. Empty if the dataset lacks them.
 */
export function layersOf(name: string, { collections }: Manifest): readonly CollectionName[] {
  const named = isKnown({ collections }, name)
    ? [name]
    : SEARCH_PATHS.find(({ path }) => path === `/${name}`)?.collections;
  return (named ?? []).filter((collection) => collections[collection]);
}

/** Returns all names for which `layersOf` finds layers: search paths without a slash inside, then collections. */
export function tileNames(manifest: Manifest): string[] {
  const paths = SEARCH_PATHS.map(({ path }) => path.slice(1)).filter((name) => !name.includes("/"));
  return [...paths.filter((name) => layersOf(name, manifest).length > 0), ...Object.keys(manifest.collections)];
}
