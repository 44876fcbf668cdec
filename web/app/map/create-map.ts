/** MapLibre behind the interface that the page needs. @module */
import { maki } from "virtual:shipped-files";
import type * as GeoJSON from "geojson";
import {
  type GeoJSONSource,
  LngLatBounds,
  type LngLatBoundsLike,
  Map as MapLibre,
  type MapOptions,
  NavigationControl,
  ScaleControl,
  type StyleSpecification,
  setWorkerUrl,
  type VectorTileSource,
} from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import type { BBox } from "../../../data/format/bbox.ts";
import { metersBetween } from "../../../data/format/sphere.ts";
import type { Feature } from "../../engine/index.ts";
import { loadPart } from "../../hosts/browser/parts/index.ts";
import type { AreaOverview } from "../../hosts/browser/protocol/index.ts";
import { circleBounds, positionAt } from "../../map/circle-shape.ts";
import type { DrawnArea } from "../../map/drawn-area.ts";
import { LOCAL_SOURCE, PLACES_SOURCE, WORLD_SOURCE } from "../../map/expressions.ts";
import { drawImages } from "../../map/map-images.ts";
import { type Palette, palette } from "../../map/palette.ts";
import { AREA_SOURCE, MARK_SOURCE, OUTLINE_SOURCE, RESULT_SOURCE } from "../../map/result-layers.ts";
import {
  areaShape,
  boundsOf,
  type Dot,
  dotShapes,
  dotsExcept,
  type Located,
  NO_FEATURES,
  outlineShapes,
  outlinesExcept,
  type RecordColours,
  recordBounds,
  resultShapes,
} from "../../map/shapes.ts";
import { shownBoxOf } from "../../map/shown-box.ts";
import { mapStyle } from "../../map/style.ts";
import {
  type Centre,
  isTurned,
  MAX_PITCH,
  type PageState,
  type Path,
  type Search,
  type View,
} from "../address/index.ts";
import { type Found, firstNumberOf, indexOf, isShop, mapSettings, type Overlay } from "../state/index.ts";
import { formatCount, formatDistance } from "../text/index.ts";
import { type Circle, followCircle, type Part, roundMeters } from "./circle-handles.ts";
import type { DrawnAreaKind } from "./draw-area.ts";
import { createAdder, createFiller } from "./fill-sources.ts";
import { INHABITED } from "./first-land.tsx";
import { createMarks } from "./marks.ts";
import {
  COVERAGE_SOURCE,
  coverageLayers,
  coverageSource,
  OVERLAYS,
  overlayLayers,
  overlaySource,
  overlaySources,
  READER_SOURCE,
  readerLayers,
  readerShape,
  SAVED_SOURCE,
  savedLayers,
  savedShapes,
} from "./overlays.ts";
import { fitPadding, panelPadding } from "./padding.ts";
import { followPointer, type PointerEvents } from "./pointer.ts";
import { coverageUrl, followLostTiles, holdTiles, serveTiles, tileUrl } from "./tiles.ts";
import { XRAY_SOURCE, xrayLayers } from "./xray.ts";

interface MapEvents extends PointerEvents {
  onCircleDrag(circle: Circle): void;
  onCircle(circle: Circle): void;
  onView(view: View): void;
  /** Until the map has land of its own; then once undefined. */
  onFirstLand(view: View | undefined): void;
  /** The code that makes tiles could not be loaded. */
  onTilesLost(): void;
  onBox(bbox: BBox): void;
}

export interface MapLook {
  readonly isDark: boolean;
  readonly isMuted: boolean;
  /** Of names and numbers, BCP 47. */
  readonly language: string;
}

export type MapHandle = NonNullable<ReturnType<typeof createMap>>;

interface FitOptions {
  /** Box of the country, for a search by country without records. */
  readonly country?: BBox | undefined;
  /**
   * Whether the location was chosen on the map: the view then stays, as long as the centre of the circle is visible.
   */
  readonly isByMap?: boolean;
  /** Whether to show all of it, even if the map was moved to this location before. */
  readonly isWhole?: boolean;
}

const MAX_FIT_ZOOM = 17;
/** Where single houses are distinguishable. */
const NEAR_ZOOM = 18;
/** A bbox smaller than this share of the free map is hard to see. */
const LEAST_SHARE = 0.2;
const EAST_DEGREES = 90;
/** A view from the side, at a zoom where solids do not overlap. */
const SOLID_PITCH = 55;
const SOLID_ZOOM = 15.5;
/** A slice of the largest records, lines of hundreds of corners, takes about 10 ms. */
const SLICE_RECORDS = 250;
const OVERLAY_SLICE = 1000;
const SLICE_DOTS = 2500;

setWorkerUrl(workerUrl);
serveTiles();

/** Coverage of the path, saved areas, partitions that a search read, and overlays. */
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

/** Creates the map in the element; undefined when the browser cannot draw it. */
export function createMap(
  container: HTMLElement,
  start: FirstView & MapLook & { readonly path: Path },
  events: MapEvents,
) {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)");
  let look: MapLook = start;
  let { path } = start;
  let area = NO_FEATURES;
  let saved = NO_FEATURES;
  let xray = NO_FEATURES;
  let reader = NO_FEATURES;
  const overlays: Record<Overlay, readonly GeoJSON.Feature[]> = { console: [], files: [], notes: [] };
  let list: Found | undefined;
  let located: Located | undefined;
  let circle: Circle | undefined;
  let isDrawing = false;
  /** The click of the tap that finished a drawing may arrive late: until the next tap clicks belong to the drawing. */
  let isClickDrawings = false;
  let stopDrawing = () => {};
  let colours: RecordColours | undefined;
  let fitted: Search | undefined;
  /** Draws buildings as solids. */
  let solids: ((map: MapLibre, isDark: boolean) => void) | undefined;
  /** Whether land and sea were drawn once. Until then the map is transparent, and the outline below it visible. */
  let hasLand = false;

  const style = (): StyleSpecification => {
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
  };
  let map: MapLibre;
  try {
    map = new MapLibre({
      container,
      style: style(),
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
  drawImages(map, () => palette(look.isDark, look.isMuted), loadMaki);
  followLostTiles(events.onTilesLost);
  holdTiles(drawn(map, [AREA_SOURCE, RESULT_SOURCE]));
  const mayTurn = (isOn: boolean) => {
    map.touchZoomRotate[isOn ? "enableRotation" : "disableRotation"]();
    map.keyboard[isOn ? "enableRotation" : "disableRotation"]();
    map.touchPitch[isOn ? "enable" : "disable"]();
    map.dragRotate[isOn ? "enable" : "disable"]();
  };
  mayTurn(false);
  map.addControl(new NavigationControl({ showCompass: false }), "bottom-right");
  map.addControl(new ScaleControl({ maxWidth: 120 }), "bottom-right");
  followPointer(map, events, { isDrawing: () => isDrawing, isClickDrawings: () => isClickDrawings });
  followCircle(map, {
    circle: () => (isDrawing ? undefined : circle),
    onDrag(next, part) {
      area = draggedShape(next, part);
      drawData(AREA_SOURCE, area);
      events.onCircleDrag(next);
    },
    onRelease: events.onCircle,
  });
  map.on("moveend", ({ originalEvent, isTilt }: { readonly originalEvent?: unknown; readonly isTilt?: boolean }) => {
    events.onBox(shownBoxOf(map));
    if (originalEvent || isTilt) events.onView(viewOf(map));
  });
  events.onBox(shownBoxOf(map));
  const followFirst = () => events.onFirstLand({ ...wrapped(map.getCenter()), zoom: map.getZoom() });
  followFirst();
  map.on("move", followFirst);
  map.on("sourcedata", function look({ sourceId, tile }) {
    if (sourceId !== WORLD_SOURCE || !tile || !map.isSourceLoaded(WORLD_SOURCE)) return;
    map.off("sourcedata", look);
    map.off("move", followFirst);
    map.once("render", () => {
      hasLand = true;
      const [paper] = style().layers;
      if (paper && !map.getLayer(paper.id)) map.addLayer(paper, map.getStyle().layers[0]?.id);
      events.onFirstLand(undefined);
    });
  });
  // Tiles that fail leave gaps in the base map; searches report their own errors.
  map.on("error", () => {});

  const drawData = (source: string, data: GeoJSON.FeatureCollection) =>
    void map.getSource<GeoJSONSource>(source)?.setData(data);
  const setTiles = (source: string, url: string) => void map.getSource<VectorTileSource>(source)?.setTiles([url]);
  const firstNumber = () => (list ? firstNumberOf(list) : 1);
  const numberOf = (id: string) => {
    const index = list && indexOf(list, id);
    return index === undefined ? undefined : firstNumber() + index;
  };
  const marks = createMarks((shapes) => drawData(MARK_SOURCE, shapes), numberOf);
  const fillFound = createFiller<Feature>(map, {
    sliceItems: SLICE_RECORDS,
    sliceOf(records, start) {
      const numbering = { first: firstNumber() + start, write: formatCount, colours };
      const { points, outlines } = resultShapes(records, { ...numbering, isCounted: located?.rows !== undefined });
      return { [RESULT_SOURCE]: points, [OUTLINE_SOURCE]: outlines };
    },
  });
  const overlayFiller = (overlay: Overlay) =>
    createFiller<GeoJSON.Feature>(map, {
      sliceItems: OVERLAY_SLICE,
      sliceOf: (features) => ({ [overlaySource(overlay)]: { type: "FeatureCollection", features: [...features] } }),
    });
  const fillOverlays = {
    console: overlayFiller("console"),
    files: overlayFiller("files"),
    notes: overlayFiller("notes"),
  };
  const fillDots = createAdder<Dot>(map, SLICE_DOTS, RESULT_SOURCE, (dots, start) =>
    dotShapes(dots, start, colours?.unknown),
  );
  const fillOutlines = createAdder<GeoJSON.Geometry>(map, OVERLAY_SLICE, OUTLINE_SOURCE, (outlines, start) =>
    outlineShapes(outlines, start, colours?.unknown),
  );
  let drawing = 0;
  const drawFound = async () => {
    drawing += 1;
    const mine = drawing;
    const isLeft = () => mine !== drawing;
    const records = list?.records ?? [];
    const others = located;
    await fillFound(records);
    if (!others || isLeft()) return;
    await fillDots(dotsExcept(others, records), isLeft);
    if (!isLeft()) await fillOutlines(outlinesExcept(others, records), isLeft);
  };
  map.on("style.load", () => {
    solids?.(map, look.isDark);
    drawData(AREA_SOURCE, area);
    drawData(SAVED_SOURCE, saved);
    drawData(XRAY_SOURCE, xray);
    drawData(READER_SOURCE, reader);
    for (const overlay of OVERLAYS) void fillOverlays[overlay](overlays[overlay]);
    void drawFound();
    marks.draw();
  });
  const move = { maxZoom: MAX_FIT_ZOOM, duration: 700 };

  return {
    drawSearch(search: Search | undefined) {
      area = search ? areaShape(search) : NO_FEATURES;
      circle = search?.centre && { centre: search.centre, radiusMeters: search.radiusMeters };
      drawData(AREA_SOURCE, area);
    },
    drawSaved(areas: AreaOverview | undefined) {
      saved = savedShapes(areas);
      drawData(SAVED_SOURCE, saved);
    },
    drawXray(shapes: GeoJSON.FeatureCollection) {
      xray = shapes;
      drawData(XRAY_SOURCE, xray);
    },
    drawReader(location: Centre | undefined) {
      reader = readerShape(location);
      drawData(READER_SOURCE, reader);
    },
    drawOverlay(overlay: Overlay, features: readonly GeoJSON.Feature[]) {
      overlays[overlay] = features;
      void fillOverlays[overlay](features);
    },
    /** Moves to the box immediately: the dataset was opened after the map. */
    startAt(box: BBox) {
      map.fitBounds(wholeBox(box), { maxZoom: MAX_FIT_ZOOM, animate: false, padding: fitPadding(container) });
    },
    showBox(bbox: BBox) {
      map.fitBounds(wholeBox(bbox), { ...move, animate: !isStill.matches, padding: fitPadding(container) });
    },
    showView(view: View) {
      map.jumpTo(cameraOf(view));
    },
    drawResults(found: Found | undefined) {
      list = found;
      void drawFound();
    },
    /** Draws the matches that are not in the list. */
    drawMatches(of: Located | undefined) {
      if (of === located) return;
      located = of;
      void drawFound();
    },
    /** Colours the records; undefined gives them one colour. */
    colourRecords(by: RecordColours | undefined) {
      if (by === colours) return;
      colours = by;
      void drawFound();
    },
    /** Marks a record; undefined removes the mark. */
    mark: marks.set,
    /** Moves to the search, unless it is already visible. */
    fit(found: Pick<Found, "search" | "records">, { country, isByMap = false, isWhole = false }: FitOptions = {}) {
      const bounds = boundsOf(found) ?? (country && wholeBox(country));
      if (!bounds) return;
      const { search } = found;
      const isKnown = !isWhole && (isByMap || isSameLocation(search, fitted));
      fitted = search;
      const options = { ...move, animate: !isStill.matches, padding: fitPadding(container) };
      const camera = map.cameraForBounds(bounds, options);
      const isInView =
        isKnown && search.centre ? isSeen(map, container, search.centre) : isBoxSeen(map, container, bounds);
      const zoomGap = (camera?.zoom ?? 0) - map.getZoom();
      if (!search.area && isInView && zoomGap >= -0.05 && 2 ** -zoomGap > LEAST_SHARE) return;
      map.fitBounds(bounds, options);
    },
    zoomTo(record: Feature) {
      const bounds = recordBounds(record);
      const options = { ...move, animate: !isStill.matches, padding: fitPadding(container), maxZoom: NEAR_ZOOM };
      if (bounds) map.fitBounds(bounds, options);
    },
    bringIntoView(record: Feature) {
      const bounds = recordBounds(record);
      if (!bounds) return;
      const [west, south, east, north] = bounds;
      if (isSeen(map, container, { lon: (west + east) / 2, lat: (south + north) / 2 })) return;
      const maxZoom = Math.max(map.getZoom(), 15);
      map.fitBounds(bounds, { ...move, animate: !isStill.matches, padding: fitPadding(container), maxZoom });
    },
    /** Returns the middle of the part that no panel covers. */
    middle: () => wrapped(map.unproject(freePart(container).middle)),
    /** Returns the largest circle that no panel covers. */
    freeCircle() {
      const { middle, reach } = freePart(container);
      const centre = wrapped(map.unproject(middle));
      const edge = wrapped(map.unproject([middle[0], middle[1] - reach]));
      return { centre, radiusMeters: roundMeters(metersBetween(centre, edge)) };
    },
    /** Lets the user draw an area; returns a function that cancels. */
    async draw(kind: DrawnAreaKind, onDone: (area: DrawnArea) => void) {
      stopDrawing();
      const { drawArea } = await loadPart(() => import("./draw-area.ts"));
      const colour = palette(look.isDark).accent as `#${string}`;
      const end = () => {
        isDrawing = false;
        const release = () => {
          isClickDrawings = isDrawing;
        };
        container.addEventListener("pointerdown", release, { once: true, capture: true });
        drawData(AREA_SOURCE, area);
      };
      isDrawing = true;
      isClickDrawings = true;
      // The previous search would obstruct the view.
      drawData(AREA_SOURCE, NO_FEATURES);
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
    /** Shows where there is data of this kind. */
    drawCoverage(of: Path) {
      if (of === path) return;
      path = of;
      setTiles(COVERAGE_SOURCE, coverageUrl(path));
    },
    /** Asks for all tiles again. */
    refresh() {
      setTiles(WORLD_SOURCE, tileUrl("world", look.language));
      setTiles(LOCAL_SOURCE, tileUrl("local", look.language));
      setTiles(PLACES_SOURCE, tileUrl("places", look.language));
      setTiles(COVERAGE_SOURCE, coverageUrl(path));
    },
    /**
     * Draws buildings as solids by the function, seen from the side, or as the URL has it; undefined shows the flat map.
     */
    showSolids(draw: typeof solids, layer: string) {
      solids = draw;
      const isOn = draw !== undefined;
      if (map.getSource(LOCAL_SOURCE)) draw?.(map, look.isDark);
      if (!isOn && map.getLayer(layer)) map.removeLayer(layer);
      mayTurn(isOn);
      if (isOn === isTurned(viewOf(map))) return;
      const camera = isOn
        ? { pitch: SOLID_PITCH, zoom: Math.max(map.getZoom(), SOLID_ZOOM) }
        : { pitch: 0, bearing: 0 };
      map.easeTo({ ...camera, animate: !isStill.matches }, { isTilt: true });
    },
    restyle(next: MapLook) {
      if (JSON.stringify(next) === JSON.stringify(look)) return;
      stopDrawing();
      look = next;
      map.setStyle(style(), { diff: false });
    },
    remove() {
      stopDrawing();
      map.remove();
    },
  };
}

async function loadMaki(): Promise<string> {
  const response = await fetch(new URL(maki.path, document.baseURI));
  if (!response.ok) throw new Error(`${maki.path} answered ${response.status}, expected 200`);
  return response.text();
}

/** Longer than drawing shapes takes, even on a slow processor. */
const MOST_DRAWING_MS = 1500;

/** Resolves when the sources are drawn for the first time. */
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

/** The circle with a handle that shows its radius. */
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

interface FirstView extends Pick<PageState, "search" | "view"> {
  readonly box?: BBox | undefined;
}

/** The view of the URL, otherwise the dataset, so that no unnecessary tile is drawn. */
function firstView(container: HTMLElement, { view, search, box = INHABITED }: FirstView): Partial<MapOptions> {
  const first = view ?? (search ? undefined : mapSettings.view);
  if (first) return cameraOf(first);
  const bounds = search?.centre ? circleBounds(search.centre, search.radiusMeters) : wholeBox(box);
  return { bounds, fitBoundsOptions: { padding: fitPadding(container), maxZoom: MAX_FIT_ZOOM } };
}

function cameraOf({ lon, lat, zoom, bearing = 0, pitch = 0 }: View) {
  return { center: [lon, lat] as [number, number], zoom, bearing, pitch };
}

/** In whole degrees, as in the URL. */
function viewOf(map: MapLibre): View {
  const [bearing, pitch] = [Math.round(map.getBearing()), Math.round(map.getPitch())];
  const looks = { ...(bearing === 0 ? {} : { bearing }), ...(pitch === 0 ? {} : { pitch }) };
  return { ...wrapped(map.getCenter()), zoom: map.getZoom(), ...looks };
}

/** The middle of the part that no panel covers, and the distance to its nearest edge, in pixels. */
function freePart(container: HTMLElement): { middle: [number, number]; reach: number } {
  const { top, left, right, bottom } = panelPadding(container);
  const [width, height] = [container.clientWidth - left - right, container.clientHeight - top - bottom];
  return { middle: [left + width / 2, top + height / 2], reach: Math.max(1, Math.min(width, height) / 2) };
}

/** Whether the position is on a part of the map that no panel covers. */
function isSeen(map: MapLibre, container: HTMLElement, { lon, lat }: Centre): boolean {
  const { x, y } = map.project([lon, lat]);
  const { top, left, right, bottom } = panelPadding(container);
  return x > left && y > top && x < container.clientWidth - right && y < container.clientHeight - bottom;
}

/** Whether no panel covers any of the box. */
function isBoxSeen(map: MapLibre, container: HTMLElement, bounds: LngLatBoundsLike): boolean {
  const box = LngLatBounds.convert(bounds);
  return [box.getSouthWest(), box.getNorthEast()].every(({ lng, lat }) => isSeen(map, container, { lon: lng, lat }));
}

function isSameLocation(search: Search, other: Search | undefined): boolean {
  const location = ({ centre, radiusMeters, area, country }: Search) =>
    JSON.stringify([centre, centre && radiusMeters, area, country]);
  return other !== undefined && location(search) === location(other);
}

function wrapped(position: { wrap(): { lng: number; lat: number } }): Centre {
  const { lng, lat } = position.wrap();
  return { lon: lng, lat };
}

/** The box with its east above 180 degrees where it crosses the antimeridian. */
function wholeBox([west, south, east, north]: BBox): LngLatBoundsLike {
  return [west, south, east < west ? east + 360 : east, north];
}
