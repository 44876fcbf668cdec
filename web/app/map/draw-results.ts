/** Draws on the map the records of the list, the other matches, and marked records. @module */
import type * as GeoJSON from "geojson";
import type { GeoJSONSource, Map as MapLibre } from "maplibre-gl";
import type { Feature } from "../../engine/index.ts";
import { MARK_SOURCE, OUTLINE_SOURCE, RESULT_SOURCE } from "../../map/result-layers.ts";
import {
  type Dot,
  dotShapes,
  dotsExcept,
  type Located,
  outlineShapes,
  outlinesExcept,
  type RecordColours,
  recordShapes,
  resultShapes,
} from "../../map/shapes.ts";
import { type Found, firstNumberOf, indexOf } from "../state/index.ts";
import { formatCount, recordTitle } from "../text/index.ts";

/** Number of records drawn at once: for the largest ones, lines of hundreds of corners, about 10 ms. */
const SLICE_RECORDS = 250;
export const SLICE_SHAPES = 1000;
const SLICE_DOTS = 2500;

/** Replaces the features of a source of the map. Does nothing if the style does not have the source yet. */
export function setData(map: MapLibre, source: string, data: GeoJSON.FeatureCollection): void {
  void map.getSource<GeoJSONSource>(source)?.setData(data);
}

/** Returns functions that draw the results. `redraw` draws them again after the style of the map was replaced. */
export function createResults(map: MapLibre) {
  let list: Found | undefined;
  let located: Located | undefined;
  let colours: RecordColours | undefined;

  const firstNumber = () => (list ? firstNumberOf(list) : 1);
  const numberOf = (id: string) => {
    const index = list && indexOf(list, id);
    return index === undefined ? undefined : firstNumber() + index;
  };
  const marks = createMarks((shapes) => setData(map, MARK_SOURCE, shapes), numberOf);
  const fillFound = createFiller<Feature>(map, {
    sliceItems: SLICE_RECORDS,
    sliceOf(records, start) {
      const numbering = { first: firstNumber() + start, write: formatCount, colours };
      const { points, outlines } = resultShapes(records, { ...numbering, isCounted: located?.rows !== undefined });
      return { [RESULT_SOURCE]: points, [OUTLINE_SOURCE]: outlines };
    },
  });
  const fillDots = createAdder<Dot>(map, SLICE_DOTS, RESULT_SOURCE, (dots, start) =>
    dotShapes(dots, start, colours?.unknown),
  );
  const fillOutlines = createAdder<GeoJSON.Geometry>(map, SLICE_SHAPES, OUTLINE_SOURCE, (outlines, start) =>
    outlineShapes(outlines, start, colours?.unknown),
  );
  let drawing = 0;
  const drawFound = async () => {
    drawing += 1;
    const mine = drawing;
    const isLeft = () => mine !== drawing;
    // a new answer, its colours and its other matches come together
    await Promise.resolve();
    if (isLeft()) return;
    const records = list?.records ?? [];
    const others = located;
    await fillFound(records);
    if (!others || isLeft()) return;
    await fillDots(dotsExcept(others, records), isLeft);
    if (!isLeft()) await fillOutlines(outlinesExcept(others, records), isLeft);
  };

  return {
    redraw() {
      void drawFound();
      marks.draw();
    },
    drawResults(found: Found | undefined) {
      list = found;
      void drawFound();
    },
    /** Draws the matches that are not in the list; undefined draws none. */
    drawMatches(of: Located | undefined) {
      if (of === located) return;
      located = of;
      void drawFound();
    },
    /** Colours the records; undefined gives all of them the same colour. */
    colourRecords(by: RecordColours | undefined) {
      if (by === colours) return;
      colours = by;
      void drawFound();
    },
    /** Marks a record as hovered or selected, instead of the one marked so before; undefined removes the mark. */
    mark: marks.set,
  };
}

interface FillerOptions<Item> {
  readonly sliceItems: number;
  /** Returns the features of a slice of the items by name of the source. The slice begins with item number `start`. */
  readonly sliceOf: (items: readonly Item[], start: number) => Readonly<Record<string, GeoJSON.FeatureCollection>>;
}

/**
 * Returns a function that adds the shapes of items to a source, slice by slice, and stops when `isLeft` returns true. `shapesOf`
 * gets a slice and the index of its first item.
 */
function createAdder<Item>(
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

/**
 * Returns a function that replaces the features of sources by those of items, slice by slice. A call cancels the previous one,
 * and resolves when all is drawn or the call was cancelled.
 */
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

type Mark = "hovered" | "selected";

/**
 * Draws the hovered and the selected record on top, because a cluster may hide them. `numberOf` returns the number of a record in
 * the list.
 */
function createMarks(show: (shapes: GeoJSON.FeatureCollection) => void, numberOf: (id: string) => number | undefined) {
  const marked: Record<Mark, Feature | undefined> = { selected: undefined, hovered: undefined };

  function draw(): void {
    const records = new Set([marked.selected, marked.hovered]);
    const features = [...records].flatMap((record) => {
      if (!record) return [];
      const title = recordTitle(record);
      const number = numberOf(record.id);
      const shapes = recordShapes(record, number === undefined ? undefined : { number, label: formatCount(number) });
      return shapes.map((shape) => ({ ...shape, properties: { ...shape.properties, title } }));
    });
    show({ type: "FeatureCollection", features });
  }

  return {
    set(mark: Mark, record: Feature | undefined) {
      if (marked[mark] === record) return;
      marked[mark] = record;
      draw();
    },
    draw,
  };
}
