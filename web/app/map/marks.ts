/** The hovered and the selected record, drawn on top, because a cluster may hide them. @module */
import type * as GeoJSON from "geojson";
import type { Feature } from "../../engine/index.ts";
import { recordShapes } from "../../map/shapes.ts";
import { formatCount, recordTitle } from "../text/index.ts";

type Mark = "hovered" | "selected";

/** `numberOf` returns the number of a record in the list. */
export function createMarks(
  show: (shapes: GeoJSON.FeatureCollection) => void,
  numberOf: (id: string) => number | undefined,
) {
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
