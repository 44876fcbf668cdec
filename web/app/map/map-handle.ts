/** MapLibre behind the few functions that the page needs. @module */
import { maki } from "virtual:shipped-files";
import {
  Map as MapLibre,
  NavigationControl,
  ScaleControl,
  type StyleSpecification,
  setWorkerUrl,
  type VectorTileSource,
} from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import type { BBox } from "../../../data/format/bbox.ts";
import { LOCAL_SOURCE, PLACES_SOURCE, WORLD_SOURCE } from "../../map/expressions.ts";
import { drawImages } from "../../map/map-images.ts";
import { type Palette, palette } from "../../map/palette.ts";
import { AREA_SOURCE, RESULT_SOURCE } from "../../map/result-layers.ts";
import { NO_FEATURES } from "../../map/shapes.ts";
import { shownBoxOf } from "../../map/shown-box.ts";
import { mapStyle } from "../../map/style.ts";
import { MAX_PITCH, type Path, type View } from "../address/index.ts";
import { isShop } from "../state/index.ts";
import { createCamera, type FirstView, firstView, viewOf, wrapped } from "./camera.ts";
import type { Circle } from "./circle-handles.ts";
import { createResults } from "./draw-results.ts";
import {
  COVERAGE_SOURCE,
  coverageLayers,
  coverageSource,
  createOverlays,
  overlayLayers,
  overlaySources,
  READER_SOURCE,
  readerLayers,
  SAVED_SOURCE,
  savedLayers,
} from "./overlays.ts";
import { followPointer, type PointerEvents } from "./pointer.ts";
import { createSearchArea } from "./search-area.ts";
import { coverageUrl, followLostTiles, holdTiles, serveTiles, tileUrl } from "./tiles.ts";
import { XRAY_SOURCE, xrayLayers } from "./xray.ts";

export interface MapEvents extends PointerEvents {
  onCircleDrag(circle: Circle): void;
  onCircle(circle: Circle): void;
  onView(view: View): void;
  /** Called with each view of the map until land and sea are drawn for the first time, then once with undefined. */
  onFirstLand(view: View | undefined): void;
  /** Called when the code that makes tiles could not be loaded. */
  onTilesLost(): void;
  onBox(bbox: BBox): void;
}

export interface MapLook {
  readonly isDark: boolean;
  readonly isMuted: boolean;
  /** Language of names and numbers, BCP 47. */
  readonly language: string;
}

export type MapHandle = NonNullable<ReturnType<typeof openMap>>;

setWorkerUrl(workerUrl);
serveTiles();

/** Returns sources and layers of coverage, saved areas, read partitions and overlays. */
function overlayStyle(colour: Palette, path: Path): Pick<StyleSpecification, "sources" | "layers"> {
  const empty = { type: "geojson", data: NO_FEATURES } as const;
  return {
    sources: {
      [COVERAGE_SOURCE]: coverageSource(coverageUrl(path)),
      ...{ [SAVED_SOURCE]: empty, [XRAY_SOURCE]: empty, [READER_SOURCE]: empty },
      ...overlaySources(),
    },
    layers: [
      ...(isShop ? [] : coverageLayers(colour)),
      ...savedLayers(colour),
      ...xrayLayers(colour),
      ...overlayLayers(colour),
    ],
  };
}

/**
 * Returns the whole style: the base map as the user wants it, and what lies above it. Before the first land is drawn, the
 * background is left out.
 */
function styleOf({ look, path, hasLand }: { look: MapLook; path: Path; hasLand: boolean }): StyleSpecification {
  const made = mapStyle({
    ...look,
    // all shops are on the map
    hasPlaces: !isShop,
    tileUrl: (name) => tileUrl(name, look.language),
    overlays: (colour) => overlayStyle(colour, path),
  });
  // above the centre of the circle, which is the same when searching around the user
  const [paper, ...layers] = made.layers;
  return {
    ...made,
    layers: [...(hasLand && paper ? [paper] : []), ...layers, ...readerLayers(palette(look.isDark))],
  };
}

/** Creates the map in the element; undefined if the browser cannot draw a map. */
function createMapLibre(container: HTMLElement, style: StyleSpecification, start: FirstView): MapLibre | undefined {
  try {
    return new MapLibre({
      container,
      style,
      ...firstView(container, start),
      maxZoom: 20,
      maxPitch: MAX_PITCH,
      attributionControl: false,
      renderWorldCopies: true,
      dragRotate: false,
      pitchWithRotate: false,
    });
  } catch {
    return undefined;
  }
}

/** Opens the map in the element; undefined if the browser cannot draw a map. */
export function openMap(
  container: HTMLElement,
  start: FirstView & MapLook & { readonly path: Path },
  events: MapEvents,
) {
  let look: MapLook = start;
  let { path } = start;
  /** Function that draws buildings as solids; undefined while the map is flat. */
  let solids: ((map: MapLibre, isDark: boolean) => void) | undefined;
  /** Whether land and sea were drawn once. Until then the map is transparent and shows the outline below it. */
  let hasLand = false;

  const style = () => styleOf({ look, path, hasLand });
  const map = createMapLibre(container, style(), start);
  if (!map) return undefined;
  drawImages(map, () => palette(look.isDark, look.isMuted), loadMaki);
  followLostTiles(events.onTilesLost);
  holdTiles(drawn(map, [AREA_SOURCE, RESULT_SOURCE]));
  allowTurns(map, false);
  map.addControl(new NavigationControl({ showCompass: false }), "bottom-right");
  map.addControl(new ScaleControl({ maxWidth: 120 }), "bottom-right");
  followPointer(map, events, { isDrawing: () => area.isDrawing(), isClickDrawings: () => area.isClickDrawings() });
  const area = createSearchArea(map, {
    container,
    accent: () => palette(look.isDark).accent,
    onCircleDrag: events.onCircleDrag,
    onCircle: events.onCircle,
  });
  map.on("moveend", ({ originalEvent, isTilt }: { readonly originalEvent?: unknown; readonly isTilt?: boolean }) => {
    events.onBox(shownBoxOf(map));
    if (originalEvent || isTilt) events.onView(viewOf(map));
  });
  events.onBox(shownBoxOf(map));
  followFirstLand(map, {
    onMove: events.onFirstLand,
    onLand() {
      hasLand = true;
      const [paper] = style().layers;
      if (paper && !map.getLayer(paper.id)) map.addLayer(paper, map.getStyle().layers[0]?.id);
      events.onFirstLand(undefined);
    },
  });
  // Tiles that fail leave gaps in the base map; searches report their own errors.
  map.on("error", () => {});

  const setTiles = (source: string, url: string) => void map.getSource<VectorTileSource>(source)?.setTiles([url]);
  const camera = createCamera(map, container);
  const { redraw: redrawResults, ...results } = createResults(map);
  const { redraw: redrawOverlays, ...overlays } = createOverlays(map);
  map.on("style.load", () => {
    solids?.(map, look.isDark);
    area.redraw();
    redrawOverlays();
    redrawResults();
  });
  return {
    ...camera,
    ...results,
    ...overlays,
    drawSearch: area.drawSearch,
    draw: area.draw,
    /** Shows where the dataset has records that the path searches. */
    drawCoverage(of: Path) {
      if (of === path) return;
      path = of;
      setTiles(COVERAGE_SOURCE, coverageUrl(path));
    },
    /** Requests all tiles again. */
    refresh() {
      setTiles(WORLD_SOURCE, tileUrl("world", look.language));
      setTiles(LOCAL_SOURCE, tileUrl("local", look.language));
      setTiles(PLACES_SOURCE, tileUrl("places", look.language));
      setTiles(COVERAGE_SOURCE, coverageUrl(path));
    },
    /** Draws buildings as solids by the function, and tilts the map unless it is tilted; undefined makes the map flat. */
    showSolids(draw: typeof solids, layer: string) {
      solids = draw;
      const isOn = draw !== undefined;
      if (map.getSource(LOCAL_SOURCE)) draw?.(map, look.isDark);
      if (!isOn && map.getLayer(layer)) map.removeLayer(layer);
      allowTurns(map, isOn);
      camera.tilt(isOn);
    },
    restyle(next: MapLook) {
      if (JSON.stringify(next) === JSON.stringify(look)) return;
      area.stopDrawing();
      look = next;
      map.setStyle(style(), { diff: false });
    },
    remove() {
      area.stopDrawing();
      map.remove();
    },
  };
}

/** Allows or forbids the user to turn and tilt the map. */
function allowTurns(map: MapLibre, isOn: boolean): void {
  map.touchZoomRotate[isOn ? "enableRotation" : "disableRotation"]();
  map.keyboard[isOn ? "enableRotation" : "disableRotation"]();
  map.touchPitch[isOn ? "enable" : "disable"]();
  map.dragRotate[isOn ? "enable" : "disable"]();
}

/** Calls `onMove` with each view until land and sea are drawn for the first time, then `onLand`. */
function followFirstLand(
  map: MapLibre,
  { onMove, onLand }: { readonly onMove: (view: View) => void; readonly onLand: () => void },
): void {
  const follow = () => onMove({ ...wrapped(map.getCenter()), zoom: map.getZoom() });
  follow();
  map.on("move", follow);
  map.on("sourcedata", function look({ sourceId, tile }) {
    if (sourceId !== WORLD_SOURCE || !tile || !map.isSourceLoaded(WORLD_SOURCE)) return;
    map.off("sourcedata", look);
    map.off("move", follow);
    map.once("render", onLand);
  });
}

async function loadMaki(): Promise<string> {
  const response = await fetch(new URL(maki.path, document.baseURI));
  if (!response.ok) throw new Error(`${maki.path} answered ${response.status}, expected 200`);
  return response.text();
}

/** Longest wait for shapes to be drawn. Even a slow processor needs less. */
const MOST_DRAWING_MS = 1500;

/** Resolves when the sources are drawn for the first time, at the latest after 1.5 seconds. */
function drawn(map: MapLibre, sources: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, MOST_DRAWING_MS);
    map.on("sourcedata", function look() {
      if (!sources.every((source) => map.getSource(source) && map.isSourceLoaded(source))) return;
      map.off("sourcedata", look);
      resolve();
    });
  });
}
