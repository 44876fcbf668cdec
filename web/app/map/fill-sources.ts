/** Gives a source its features in slices: thousands at once would block the page's thread. @module */
import type * as GeoJSON from "geojson";
import type { GeoJSONSource, Map as MapLibre } from "maplibre-gl";

export interface FillerOptions<Item> {
  readonly sliceItems: number;
  /** What the slice that begins at `start` puts into sources, by their names. */
  readonly sliceOf: (items: readonly Item[], start: number) => Readonly<Record<string, GeoJSON.FeatureCollection>>;
}

/** Fills sources; a call ends the one before it. Resolves when all is drawn, or the call is ended. */
export function createFiller<Item>(map: MapLibre, { sliceItems, sliceOf }: FillerOptions<Item>) {
  let turn = 0;
  return async (items: readonly Item[]): Promise<void> => {
    turn += 1;
    const mine = turn;
    for (let start = 0; start === 0 || start < items.length; start += sliceItems) {
      // One after the other: changes that wait together are sent together.
      for (const [name, shapes] of Object.entries(sliceOf(items.slice(start, start + sliceItems), start))) {
        const source = map.getSource<GeoJSONSource>(name);
        if (!source || (start > 0 && shapes.features.length === 0)) continue;
        await (start === 0 ? source.setData(shapes) : source.updateData({ add: shapes.features }));
        if (mine !== turn) return;
      }
    }
  };
}
