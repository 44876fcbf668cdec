/** The hovered and the selected record, drawn again on top of all: a cluster may hide them. @module */
import type * as GeoJSON from "geojson";
import type { Feature } from "../../engine/index.ts";
import { recordShapes } from "../../map/shapes.ts";
import { formatCount, recordTitle } from "../text/index.ts";

type Mark = "hovered" | "selected";

export function createMarks(show: (shapes: GeoJSON.FeatureCollection) => void) {
  const marked: Record<Mark, Feature | undefined> = { selected: undefined, hovered: undefined };
  let numbers = new Map<string, number>();

  function draw(): void {
    const records = new Set([marked.selected, marked.hovered]);
    const features = [...records].flatMap((record) => {
      if (!record) return [];
      const title = recordTitle(record);
      const number = numbers.get(record.id);
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
    /** The records of the list, the first of which has this number. */
    number(records: readonly Feature[], firstNumber: number) {
      numbers = new Map(records.map(({ id }, index) => [id, firstNumber + index]));
    },
    draw,
  };
}
