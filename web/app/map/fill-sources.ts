/** Gives a source its features in slices: thousands at once would block the page's thread. @module */
import type { GeoJSONSource } from "maplibre-gl";
import type { Feature } from "../../engine/contract/query.ts";
import { type Numbering, type ResultShapes, resultShapes } from "../../map/shapes.ts";

/** A slice of the heaviest records, lines of hundreds of corners, takes about 10 ms. */
const SLICE_RECORDS = 250;

type SourceOf = (kind: keyof ResultShapes) => GeoJSONSource | undefined;

/** Fills the sources of points and outlines; a call ends the one before it. Resolves when all is drawn, or the call is ended. */
export function createFiller(sourceOf: SourceOf) {
  let turn = 0;
  return async (records: readonly Feature[], { first, write }: Numbering): Promise<void> => {
    turn += 1;
    const mine = turn;
    for (let start = 0; start === 0 || start < records.length; start += SLICE_RECORDS) {
      const shapes = resultShapes(records.slice(start, start + SLICE_RECORDS), { first: first + start, write });
      // One after the other: changes that wait together are sent together.
      for (const kind of ["points", "outlines"] as const) {
        const source = sourceOf(kind);
        const { features } = shapes[kind];
        if (!source || (start > 0 && features.length === 0)) continue;
        await (start === 0 ? source.setData(shapes[kind]) : source.updateData({ add: features }));
        if (mine !== turn) return;
      }
    }
  };
}
