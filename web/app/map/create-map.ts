/**
 * MapLibre behind the few words that the page needs of it.
 * @module
 */
import {
  type GeoJSONSource,
  type LngLatBoundsLike,
  Map as MapLibre,
  type MapOptions,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
  type VectorTileSource,
} from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import type { Feature } from "../../engine/query.ts";
import type { Centre, PageState, Search, View } from "../state/search.ts";
import type { Found } from "../state/session.ts";
import { CentreControl } from "./centre-control.ts";
import { LOCAL_SOURCE, WORLD_SOURCE } from "./expressions.ts";
import { fitPadding, panelPadding } from "./padding.ts";
import { followPointer } from "./pointer.ts";
import { AREA_SOURCE, RESULT_SOURCE } from "./result-layers.ts";
import { areaShape, boundsOf, circleBounds, NO_FEATURES, recordBounds, resultShapes } from "./shapes.ts";
import { mapStyle } from "./style.ts";
import { serveTiles, tileUrl } from "./tiles.ts";

export interface MapEvents {
  onCentre(centre: Centre): void;
  onSelect(id: string): void;
  onHover(id: string | undefined): void;
  onView(view: View): void;
}

export interface MapStart extends Pick<PageState, "search" | "view"> {
  readonly language: string;
}

export interface MapHandle {
  drawArea(search: Search | undefined): void;
  drawResults(found: Found | undefined): void;
  /** Marks the record of this id; undefined marks none. */
  light(mark: "hovered" | "selected", id: string | undefined): void;
  /** Moves to the search, unless it is seen well enough already. */
  fit(found: Found): void;
  bringIntoView(record: Feature): void;
  /** Asks for the dataset's own tiles again. */
  refresh(): void;
  /** Names in another language. */
  speak(language: string): void;
  remove(): void;
}

const MAX_FIT_ZOOM = 17;
/** Where people live, for a first look at the world. */
const INHABITED: LngLatBoundsLike = [-125, -42, 155, 66];
/** A box smaller than this share of the free map is hard to see, larger than all of it is cut off. */
const LEAST_SHARE = 0.2;

setWorkerUrl(workerUrl);
serveTiles();

/** The map in the element; undefined when the browser cannot draw it. */
export function createMap(container: HTMLElement, start: MapStart, events: MapEvents): MapHandle | undefined {
  const isDark = matchMedia("(prefers-color-scheme: dark)");
  const isStill = matchMedia("(prefers-reduced-motion: reduce)");
  let area = NO_FEATURES;
  let results = NO_FEATURES;
  const marked: Record<"hovered" | "selected", string | undefined> = { hovered: undefined, selected: undefined };

  let { language } = start;
  const style = () => mapStyle({ isDark: isDark.matches, language, area, results });
  let map: MapLibre;
  try {
    map = new MapLibre({
      container,
      style: style(),
      ...firstView(container, start),
      maxZoom: 20,
      attributionControl: false,
      renderWorldCopies: true,
      dragRotate: false,
      pitchWithRotate: false,
    });
  } catch {
    return undefined;
  }
  map.touchZoomRotate.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), "bottom-right");
  map.addControl(new CentreControl(() => events.onCentre(wrapped(map.getCenter()))), "bottom-right");
  map.addControl(new ScaleControl({ maxWidth: 120 }), "bottom-right");
  followPointer(map, events);
  map.on("moveend", ({ originalEvent }) => {
    if (originalEvent) events.onView({ ...wrapped(map.getCenter()), zoom: map.getZoom() });
  });
  // Tiles that cannot be had leave the ground bare; searches say for themselves what went wrong.
  map.on("error", () => {});
  const restyle = () => map.setStyle(style(), { diff: false });
  isDark.addEventListener("change", restyle);

  /** Puts data and marks on the map as soon as there is a style to put them on. */
  const draw = () => {
    void map.getSource<GeoJSONSource>(AREA_SOURCE)?.setData(area);
    const source = map.getSource<GeoJSONSource>(RESULT_SOURCE);
    if (!source) return;
    void source.setData(results);
    drawMarks();
  };
  const drawMarks = () => {
    if (!map.getSource(RESULT_SOURCE)) return;
    map.removeFeatureState({ source: RESULT_SOURCE });
    for (const [mark, record] of Object.entries(marked)) {
      const index = results.features.findIndex(({ properties }) => properties?.record === record);
      if (index >= 0) map.setFeatureState({ source: RESULT_SOURCE, id: index }, { [mark]: true });
    }
  };
  map.on("style.load", draw);
  const move = { maxZoom: MAX_FIT_ZOOM, animate: !isStill.matches, duration: 700 };

  return {
    drawArea(search) {
      area = areaShape(search?.centre, search?.radiusMeters ?? 0);
      draw();
    },
    drawResults(found) {
      results = resultShapes(found);
      draw();
    },
    light(mark, id) {
      if (marked[mark] === id) return;
      marked[mark] = id;
      drawMarks();
    },
    fit(found) {
      const bounds = boundsOf(found);
      if (!bounds) return;
      const options = { ...move, padding: fitPadding(container) };
      const camera = map.cameraForBounds(bounds, options);
      const isCentreSeen = !found.search.centre || isSeen(map, container, found.search.centre);
      const zoomGap = (camera?.zoom ?? 0) - map.getZoom();
      if (isCentreSeen && zoomGap >= -0.05 && 2 ** -zoomGap > LEAST_SHARE) return;
      map.fitBounds(bounds, options);
    },
    bringIntoView(record) {
      const bounds = recordBounds(record);
      if (!bounds) return;
      const [west, south, east, north] = bounds;
      if (isSeen(map, container, { lon: (west + east) / 2, lat: (south + north) / 2 })) return;
      map.fitBounds(bounds, { ...move, padding: fitPadding(container), maxZoom: Math.max(map.getZoom(), 15) });
    },
    refresh() {
      map.getSource<VectorTileSource>(LOCAL_SOURCE)?.setTiles([tileUrl("local", language)]);
    },
    speak(next) {
      if (next === language) return;
      language = next;
      for (const [id, name] of [
        [WORLD_SOURCE, "world"],
        [LOCAL_SOURCE, "local"],
      ] as const) {
        map.getSource<VectorTileSource>(id)?.setTiles([tileUrl(name, language)]);
      }
    },
    remove() {
      isDark.removeEventListener("change", restyle);
      map.remove();
    },
  };
}

/** Where the address points to, so that no tile is drawn in vain. */
function firstView(container: HTMLElement, { view, search }: MapStart): Partial<MapOptions> {
  if (view) return { center: [view.lon, view.lat], zoom: view.zoom };
  const bounds = search?.centre ? circleBounds(search.centre, search.radiusMeters) : INHABITED;
  return { bounds, fitBoundsOptions: { padding: fitPadding(container), maxZoom: MAX_FIT_ZOOM } };
}

/** Whether the position is on the part of the map that no panel covers. */
function isSeen(map: MapLibre, container: HTMLElement, { lon, lat }: Centre): boolean {
  const { x, y } = map.project([lon, lat]);
  const { top, left, right, bottom } = panelPadding(container);
  return x > left && y > top && x < container.clientWidth - right && y < container.clientHeight - bottom;
}

function wrapped(position: { wrap(): { lng: number; lat: number } }): Centre {
  const { lng, lat } = position.wrap();
  return { lon: lng, lat };
}
