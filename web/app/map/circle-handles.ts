/** Lets the user drag the centre and the edge of the circle, with mouse or finger. @module */
import type { Map as MapLibre, MapMouseEvent, MapTouchEvent } from "maplibre-gl";
import { HALF_CIRCUMFERENCE_METERS, metersBetween } from "../../../data/format/sphere.ts";
import type { Centre } from "../address/index.ts";

export interface Circle {
  readonly centre: Centre;
  readonly radiusMeters: number;
}

interface CircleEvents {
  /** Returns the circle that is drawn; undefined without one. */
  circle(): Circle | undefined;
  onDrag(circle: Circle, part: Part): void;
  onRelease(circle: Circle): void;
}

export type Part = "centre" | "edge";

const MOUSE_PIXELS = 7;
const TOUCH_PIXELS = 22;
/** Least radius at which the edge can be dragged. A smaller circle can only be moved. */
const MIN_EDGE_PIXELS = 12;
const SIGNIFICANT_DIGITS = 3;

/**
 * Starts to follow the pointer. Calls `onDrag` with the changed circle at each movement of a drag, and `onRelease` at its end if
 * there was a movement.
 */
export function followCircle(map: MapLibre, { circle, onDrag, onRelease }: CircleEvents): void {
  const canvas = map.getCanvas();

  function partAt({ point, lngLat }: MapMouseEvent | MapTouchEvent, reach: number): Part | undefined {
    const drawn = circle();
    if (!drawn) return undefined;
    const { lon, lat } = drawn.centre;
    // The copy of the world that the pointer is in.
    const turns = Math.round((lngLat.lng - lon) / 360);
    const away = map.project([lon + 360 * turns, lat]).dist(point);
    const metersAway = metersBetween(drawn.centre, { lon: lngLat.lng, lat: lngLat.lat });
    const pixelsPerMeter = metersAway > 0 ? away / metersAway : 0;
    const toEdge = Math.abs(metersAway - drawn.radiusMeters) * pixelsPerMeter;
    const radiusPixels = drawn.radiusMeters * pixelsPerMeter;
    if (away <= reach && radiusPixels > away) return "centre";
    return radiusPixels >= MIN_EDGE_PIXELS && toEdge <= reach ? "edge" : undefined;
  }

  function dragged(part: Part, start: Circle, { lngLat }: MapMouseEvent | MapTouchEvent): Circle {
    const { lng, lat } = lngLat.wrap();
    if (part === "centre") return { ...start, centre: { lon: lng, lat } };
    const meters = metersBetween(start.centre, { lon: lng, lat });
    return { ...start, radiusMeters: Math.max(1, Math.min(roundMeters(meters), HALF_CIRCUMFERENCE_METERS)) };
  }

  function begin(event: MapMouseEvent | MapTouchEvent, part: Part, moveType: "mousemove" | "touchmove"): void {
    const start = circle();
    if (!start) return;
    // Prevents the map from panning.
    event.preventDefault();
    let latest: Circle | undefined;
    const move = (next: MapMouseEvent | MapTouchEvent) => {
      latest = dragged(part, start, next);
      onDrag(latest, part);
    };
    const end = () => {
      map.off(moveType, move);
      for (const type of ENDS) removeEventListener(type, end, true);
      if (latest) onRelease(latest);
    };
    map.on(moveType, move);
    for (const type of ENDS) addEventListener(type, end, true);
  }

  map.on("mousedown", (event) => {
    const part = event.originalEvent.button === 0 ? partAt(event, MOUSE_PIXELS) : undefined;
    if (part) begin(event, part, "mousemove");
  });
  map.on("touchstart", (event) => {
    const part = event.points.length === 1 ? partAt(event, TOUCH_PIXELS) : undefined;
    if (part) begin(event, part, "touchmove");
  });
  map.on("mousemove", (event) => {
    const part = event.originalEvent.buttons === 0 ? partAt(event, MOUSE_PIXELS) : undefined;
    if (part) canvas.style.cursor = part === "centre" ? "move" : "ew-resize";
  });
}

const ENDS = ["mouseup", "touchend", "touchcancel", "blur"] as const;

/** Returns metres rounded to three significant digits, and to whole metres. */
export function roundMeters(meters: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, meters))) - SIGNIFICANT_DIGITS + 1);
  return Math.round(meters / step) * step;
}
