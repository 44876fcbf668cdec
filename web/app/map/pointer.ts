/** A click on the map searches there, or opens a record or a cluster. A long press always searches. @module */
import type { MapGeoJSONFeature, Map as MapLibre, MapMouseEvent, MapTouchEvent } from "maplibre-gl";
import { openCluster } from "../../map/open-cluster.ts";
import { PLACE_LAYERS } from "../../map/place-layers.ts";
import { CLUSTER_LAYER, RESULT_LAYERS } from "../../map/result-layers.ts";
import type { Centre, RecordAddress } from "../address/index.ts";
import type { FileRowRef } from "../files/index.ts";
import { text } from "../text/index.ts";
import { FILE_LAYERS } from "./overlays.ts";
import { panelPadding } from "./padding.ts";

const LONG_PRESS_MS = 500;
/** How far a tap may be from a small point. */
const TOUCH_PIXELS = 10;
const MOUSE_PIXELS = 2;

export interface PointerEvents {
  onCentre(centre: Centre): void;
  onSelect(id: string): void;
  /** Called with the position of a clicked match that is not in the list. */
  onMatch(centre: Centre): void;
  /** Called with a clicked place, bus stop, peak or address of the base map. */
  onRecord(address: RecordAddress): void;
  onHover(id: string | undefined): void;
  onFileRow(row: FileRowRef): void;
}

/** Whether the user is drawing on the map, and whether a click belongs to the drawing. */
export interface Drawing {
  isDrawing(): boolean;
  isClickDrawings(): boolean;
}

/** Calls the events for clicks, taps, long presses, the Enter key and hovers on the map. */
export function followPointer(map: MapLibre, events: PointerEvents, { isDrawing, isClickDrawings }: Drawing): void {
  const canvas = map.getCanvas();
  canvas.setAttribute("aria-label", text("map.canvas"));

  const hitAt = ({ point }: MapMouseEvent, reach: number): MapGeoJSONFeature | undefined => {
    const layers = [...RESULT_LAYERS, CLUSTER_LAYER, ...FILE_LAYERS, ...Object.keys(PLACE_LAYERS)].filter((id) =>
      map.getLayer(id),
    );
    const [hit] = map.queryRenderedFeatures(
      [
        [point.x - reach, point.y - reach],
        [point.x + reach, point.y + reach],
      ],
      { layers },
    );
    return hit;
  };
  const searchAt = ({ lngLat }: MapMouseEvent | MapTouchEvent) => {
    const { lng, lat } = lngLat.wrap();
    events.onCentre({ lon: lng, lat });
  };

  const openResult = (hit: Pick<MapGeoJSONFeature, "geometry" | "properties">) => {
    const { record, lon, lat } = hit.properties;
    if (record !== undefined) events.onSelect(String(record));
    else if (typeof lon === "number" && typeof lat === "number") events.onMatch({ lon, lat });
  };

  map.on("click", (event) => {
    if (isClickDrawings()) return;
    const isTouch = event.originalEvent instanceof PointerEvent && event.originalEvent.pointerType === "touch";
    const hit = hitAt(event, isTouch ? TOUCH_PIXELS : MOUSE_PIXELS);
    if (!hit) searchAt(event);
    else if (hit.layer.id === CLUSTER_LAYER)
      void openCluster(map, hit, { onOpen: openResult, padding: panelPadding(map.getContainer()) });
    else if (FILE_LAYERS.includes(hit.layer.id)) {
      events.onFileRow({ file: String(hit.properties.file), row: Number(hit.properties.row) });
    } else if (hit.layer.id in PLACE_LAYERS) {
      const { lng, lat } = positionOf(hit) ?? event.lngLat;
      const type = PLACE_LAYERS[hit.layer.id] ?? "place";
      events.onRecord({ type, id: String(hit.properties.id), at: { lon: lng, lat } });
    } else openResult(hit);
  });
  map.on("mousemove", (event) => {
    if (isDrawing() || event.originalEvent.buttons !== 0) return;
    const hit = hitAt(event, MOUSE_PIXELS);
    canvas.style.cursor = hit ? "pointer" : "crosshair";
    const record: unknown = hit?.properties.record;
    events.onHover(record === undefined ? undefined : String(record));
  });
  map.on("mouseout", () => events.onHover(undefined));
  map.on("contextmenu", (event) => {
    event.preventDefault();
    if (!isDrawing()) searchAt(event);
  });

  let press: ReturnType<typeof setTimeout> | undefined;
  const release = () => clearTimeout(press);
  map.on("touchstart", (event) => {
    release();
    if (event.points.length === 1 && !event.defaultPrevented && !isDrawing()) {
      press = setTimeout(() => searchAt(event), LONG_PRESS_MS);
    }
  });
  for (const end of ["touchend", "touchcancel", "movestart"] as const) map.on(end, release);

  canvas.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || isDrawing()) return;
    const { lng, lat } = map.getCenter().wrap();
    events.onCentre({ lon: lng, lat });
  });
}

function positionOf({ geometry }: MapGeoJSONFeature): { readonly lng: number; readonly lat: number } | undefined {
  if (geometry.type !== "Point") return undefined;
  const [lng = 0, lat = 0] = geometry.coordinates;
  return { lng, lat };
}
