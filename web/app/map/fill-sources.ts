/** Fills sources in slices, because thousands of features at once would block the page. @module */
import type * as GeoJSON from "geojson";
import type { GeoJSONSource, Map as MapLibre } from "maplibre-gl";

interface FillerOptions<Item> {
  readonly sliceItems: number;
  /** Returns the features of the slice that starts at `start`, by source name. */
  readonly sliceOf: (items: readonly Item[], start: number) => Readonly<Record<string, GeoJSON.FeatureCollection>>;
}

/** Adds features to a source in slices until `isLeft`. `shapesOf` gets a slice and the index of its first item. */
export function createAdder<Item>(
  map: MapLibre,
  sliceItems: number,
  name: string,
  shapesOf: (items: readonly Item[], start: number) => GeoJSON.FeatureCollection,
) {
  return async (items: readonly Item[], isLeft: () => boolean): Promise<void> => {
    for (let start = 0; start < items.length && !isLeft(); start += sliceItems) {
      const { features } = shapesOf(items.slice(start, start + sliceItems), start);
      await map.getSource<GeoJSONSource>(name)?.updateData({ add: features });
    }
  };
}

/** Fills sources; a call cancels the previous one. Resolves when all is drawn or the call was cancelled. */
export function createFiller<Item>(map: MapLibre, { sliceItems, sliceOf }: FillerOptions<Item>) {
  let turn = 0;
  return async (items: readonly Item[]): Promise<void> => {
    turn += 1;
    const mine = turn;
    for (let start = 0; start === 0 || start < items.length; start += sliceItems) {
      // One source at a time: MapLibre sends waiting changes together.
      for (const [name, shapes] of Object.entries(sliceOf(items.slice(start, start + sliceItems), start))) {
        const source = map.getSource<GeoJSONSource>(name);
        if (!source || (start > 0 && shapes.features.length === 0)) continue;
        await (start === 0 ? source.setData(shapes) : source.updateData({ add: shapes.features }));
        if (mine !== turn) return;
      }
    }
  };
}
