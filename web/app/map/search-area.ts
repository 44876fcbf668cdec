/** The area of the search on the map. The user can drag a circle, and draw another area. @module */
import type * as GeoJSON from "geojson";
import type { Map as MapLibre } from "maplibre-gl";
import { loadPart } from "../../hosts/browser/parts/index.ts";
import { positionAt } from "../../map/circle-shape.ts";
import type { DrawnArea } from "../../map/drawn-area.ts";
import { AREA_SOURCE } from "../../map/result-layers.ts";
import { areaShape, NO_FEATURES } from "../../map/shapes.ts";
import type { Search } from "../address/index.ts";
import { formatDistance } from "../text/index.ts";
import { type Circle, followCircle, type Part } from "./circle-handles.ts";
import type { DrawnAreaKind } from "./draw-area.ts";
import { setData } from "./draw-results.ts";

const EAST_DEGREES = 90;

interface SearchAreaOptions {
  readonly container: HTMLElement;
  /** The colour of what is drawn, such as `#0b5fff`. */
  readonly accent: () => string;
  readonly onCircleDrag: (circle: Circle) => void;
  readonly onCircle: (circle: Circle) => void;
}

/** Returns functions that draw the area of the search. `redraw` draws it again after the style of the map was replaced. */
export function createSearchArea(map: MapLibre, { container, accent, onCircleDrag, onCircle }: SearchAreaOptions) {
  let area = NO_FEATURES;
  let circle: Circle | undefined;
  let isDrawing = false;
  /**
   * Whether clicks belong to the drawing. The click of the tap that finished it may arrive late, so they do until the next tap.
   */
  let isClickDrawings = false;
  let stopDrawing = () => {};
  const redraw = () => setData(map, AREA_SOURCE, area);

  followCircle(map, {
    circle: () => (isDrawing ? undefined : circle),
    onDrag(next, part) {
      area = draggedShape(next, part);
      redraw();
      onCircleDrag(next);
    },
    onRelease: onCircle,
  });

  return {
    redraw,
    isDrawing: () => isDrawing,
    isClickDrawings: () => isClickDrawings,
    stopDrawing: () => stopDrawing(),
    drawSearch(search: Search | undefined) {
      area = search ? areaShape(search) : NO_FEATURES;
      circle = search?.centre && { centre: search.centre, radiusMeters: search.radiusMeters };
      redraw();
    },
    /** Lets the user draw an area, instead of one that is being drawn. Returns a function that cancels. */
    async draw(kind: DrawnAreaKind, onDone: (area: DrawnArea) => void) {
      stopDrawing();
      const { drawArea } = await loadPart(() => import("./draw-area.ts"));
      const colour = accent() as `#${string}`;
      const end = () => {
        isDrawing = false;
        const release = () => {
          isClickDrawings = isDrawing;
        };
        container.addEventListener("pointerdown", release, { once: true, capture: true });
        redraw();
      };
      isDrawing = true;
      isClickDrawings = true;
      // The previous search would obstruct the view.
      setData(map, AREA_SOURCE, NO_FEATURES);
      const stop = drawArea(map, kind, {
        colour,
        onDone(drawn) {
          end();
          onDone(drawn);
        },
      });
      stopDrawing = () => {
        stopDrawing = () => {};
        stop();
        end();
      };
      return stopDrawing;
    },
  };
}

/** Returns the circle with a handle on its edge, which shows the radius while the edge is dragged. */
function draggedShape(circle: Circle, part: Part): GeoJSON.FeatureCollection {
  const { centre, radiusMeters } = circle;
  const label = part === "edge" ? { label: formatDistance(radiusMeters) } : {};
  const coordinates = positionAt(centre, radiusMeters, EAST_DEGREES);
  const handle: GeoJSON.Feature = {
    type: "Feature",
    properties: { part: "handle", ...label },
    geometry: { type: "Point", coordinates },
  };
  return { type: "FeatureCollection", features: [...areaShape({ centre, radiusMeters }).features, handle] };
}
