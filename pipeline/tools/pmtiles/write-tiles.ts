/**
 * Writes the vector tiles of a dataset's collections into one PMTiles archive.
 *
 * @module
 */
import { zxyToTileId } from "pmtiles";
import { type BBox, bboxIntersects, bboxUnion } from "../../../data/format/bbox.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { type TileId, tileBBox } from "../../../data/format/tile-id.ts";
import type { Dataset } from "../../../web/engine/index.ts";
import { EXACT_ZOOM, readTile } from "../../../web/tiles/index.ts";
import { createArchive } from "./archive.ts";

/** Bytes to read for one coarse tile at most. On a disk this can be more than for a map view. */
const MAX_READ_BYTES = 64 * 1024 * 1024;

interface TilesOptions {
  readonly dataset: Dataset;
  /** Names of collections, at least one. Each is a layer of the tiles. */
  readonly layers: readonly CollectionName[];
  readonly name: string;
  readonly out: string;
  readonly maxZoom: number;
  /** Box in degrees. Tiles outside of it are left out. Default: all. */
  readonly bbox?: BBox | undefined;
  /** Called after each zoom level with the number of tiles that were read. */
  readonly onZoom?: (zoom: number, tiles: number) => void;
}

interface WrittenTiles {
  readonly tiles: number;
  readonly bytes: number;
}

/**
 * Writes the tiles of zoom levels 0 to `maxZoom` to the file `out`. Reads a tile only if the tile above it has a
 * feature, or left one out for its size. Throws if there is no tile; an existing file is then unchanged.
 */
export async function writeTiles(options: TilesOptions): Promise<WrittenTiles> {
  const { dataset, layers, name, out, maxZoom, bbox, onZoom = () => {} } = options;
  const { release, attribution, collections } = await dataset.manifest();
  const archive = await createArchive(out);
  try {
    let level: TileId[] = [{ z: 0, x: 0, y: 0 }];
    for (let z = 0; z <= maxZoom; z++) {
      const next: TileId[] = [];
      for (const { id, tile } of inOrder(level)) {
        const { data, leftOut } = await readTile(dataset, { ...tile, layers, maxReadBytes: maxReadBytesOf(tile) });
        if (data.length > 0) await archive.add(id, data);
        if (data.length > 0 || leftOut > 0) next.push(...childrenOf(tile).filter((child) => isWanted(child, bbox)));
      }
      onZoom(z, level.length);
      level = next;
    }
    const fields = { id: "String", name: "String", class: "String", importance: "Number" };
    return await archive.finish({
      minZoom: 0,
      maxZoom,
      bbox: bbox ?? bboxUnion(layers.flatMap((layer) => (collections[layer] ? [collections[layer].bbox] : []))),
      metadata: {
        name,
        version: release,
        type: "overlay",
        attribution: attribution.map(({ text }) => text).join("; "),
        vector_layers: layers.map((id) => ({ id, fields, minzoom: 0, maxzoom: maxZoom })),
      },
    });
  } catch (error) {
    await archive.abandon();
    throw error;
  }
}

/** Returns the limit of bytes for a tile; undefined at zoom levels where tiles have all features. */
function maxReadBytesOf({ z }: TileId): number | undefined {
  return z < EXACT_ZOOM ? MAX_READ_BYTES : undefined;
}

function inOrder(tiles: readonly TileId[]) {
  const numbered = tiles.map((tile) => ({ tile, id: zxyToTileId(tile.z, tile.x, tile.y) }));
  return numbered.sort((a, b) => a.id - b.id);
}

function childrenOf({ z, x, y }: TileId): TileId[] {
  return [0, 1].flatMap((down) => [0, 1].map((right) => ({ z: z + 1, x: 2 * x + right, y: 2 * y + down })));
}

function isWanted(tile: TileId, bbox: BBox | undefined): boolean {
  return !bbox || bboxIntersects(bbox, tileBBox(tile));
}
