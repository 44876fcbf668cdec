/**
 * Pointer and keys on the map: a click searches there or opens a record, a long press always searches.
 * @module
 */
import type { Map as MapLibre, MapMouseEvent, MapTouchEvent } from "maplibre-gl";
import type { MapEvents } from "./create-map.ts";
import { RESULT_LAYERS } from "./result-layers.ts";

const LONG_PRESS_MS = 500;
/** How far a finger may stray from a small point. */
const TOUCH_PIXELS = 10;

export function followPointer(map: MapLibre, events: MapEvents): void {
  const canvas = map.getCanvas();
  canvas.setAttribute("aria-label", "Map. Arrow keys move it, Enter searches its middle.");

  const recordAt = ({ point }: MapMouseEvent, reach: number): string | undefined => {
    const layers = RESULT_LAYERS.filter((id) => map.getLayer(id));
    const [hit] = map.queryRenderedFeatures(
      [
        [point.x - reach, point.y - reach],
        [point.x + reach, point.y + reach],
      ],
      { layers },
    );
    return hit && String(hit.properties.record);
  };
  const searchAt = ({ lngLat }: MapMouseEvent | MapTouchEvent) => {
    const { lng, lat } = lngLat.wrap();
    events.onCentre({ lon: lng, lat });
  };

  map.on("click", (event) => {
    const isTouch = event.originalEvent instanceof PointerEvent && event.originalEvent.pointerType === "touch";
    const id = recordAt(event, isTouch ? TOUCH_PIXELS : 2);
    if (id === undefined) searchAt(event);
    else events.onSelect(id);
  });
  map.on("mousemove", (event) => {
    const id = recordAt(event, 2);
    canvas.style.cursor = id === undefined ? "crosshair" : "pointer";
    events.onHover(id);
  });
  map.on("mouseout", () => events.onHover(undefined));
  map.on("contextmenu", (event) => {
    event.preventDefault();
    searchAt(event);
  });

  let press: ReturnType<typeof setTimeout> | undefined;
  const release = () => clearTimeout(press);
  map.on("touchstart", (event) => {
    release();
    if (event.points.length === 1) press = setTimeout(() => searchAt(event), LONG_PRESS_MS);
  });
  for (const end of ["touchend", "touchcancel", "movestart"] as const) map.on(end, release);

  canvas.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const { lng, lat } = map.getCenter().wrap();
    events.onCentre({ lon: lng, lat });
  });
}
