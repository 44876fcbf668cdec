/**
 * What the map shows besides the search: results of SQL, rows of files, starred records, coverage, outlines of saved areas, and
 * the user's location. @module
 */
import type * as GeoJSON from "geojson";
import type { ExpressionSpecification, LayerSpecification, Map as MapLibre, SourceSpecification } from "maplibre-gl";
import type { BBox } from "../../../data/format/bbox.ts";
import type { AreaOverview } from "../../hosts/browser/protocol/index.ts";
import { byZoom, dotPaint, isA, ROUND } from "../../map/expressions.ts";
import { HATCH } from "../../map/map-images.ts";
import type { Palette } from "../../map/palette.ts";
import { areaShape, NO_FEATURES } from "../../map/shapes.ts";
import type { Centre } from "../address/index.ts";
import { DOTS_END_ZOOM, type Overlay } from "../state/index.ts";
import { createFiller, SLICE_SHAPES, setData } from "./draw-results.ts";
import { XRAY_SOURCE } from "./xray.ts";

const OVERLAYS: readonly Overlay[] = ["console", "files", "notes"];

/** Returns the name of the overlay's source in the style. */
const overlaySource = (overlay: Overlay) => `overlay-${overlay}`;
/** Names of the layers with rows of files, which can be clicked. */
export const FILE_LAYERS = ["point", "line", "fill"].map((part) => `${overlaySource("files")}-${part}`);

/** Returns the empty sources of the overlays, by name. */
export function overlaySources(): Record<string, SourceSpecification> {
  return Object.fromEntries(
    OVERLAYS.map((overlay) => [overlaySource(overlay), { type: "geojson", data: NO_FEATURES }]),
  );
}

/** Returns the layers of the overlays. */
export function overlayLayers(colour: Palette): LayerSpecification[] {
  return OVERLAYS.flatMap((overlay): LayerSpecification[] => {
    const source = overlaySource(overlay);
    return [
      {
        id: `${source}-fill`,
        type: "fill",
        source,
        filter: isA("Polygon"),
        paint: { "fill-color": colour.overlay, "fill-opacity": 0.18 },
      },
      {
        id: `${source}-line`,
        type: "line",
        source,
        filter: ["!=", ["geometry-type"], "Point"],
        layout: ROUND,
        paint: { "line-color": colour.overlay, "line-width": ["match", ["geometry-type"], "Polygon", 1.5, 3] },
      },
      {
        id: `${source}-point`,
        type: "circle",
        source,
        filter: isA("Point"),
        paint: {
          ...dotPaint(colour.overlay, colour.halo, 1.2),
          "circle-radius": byZoom(4, 3, 12, 5, 17, 7),
        },
      },
    ];
  });
}

export const SAVED_SOURCE = "saved-areas";

/** Returns the layers with the outlines of saved areas, thinner than the outline of the search. */
export function savedLayers(colour: Palette): LayerSpecification[] {
  return [
    {
      id: "saved-edge",
      type: "line",
      source: SAVED_SOURCE,
      filter: ["==", ["get", "part"], "edge"],
      paint: { "line-color": colour.text, "line-width": 1, "line-opacity": 0.55, "line-dasharray": [2, 3] },
    },
  ];
}

/** Returns the outlines of the areas that are completely saved: circles, and the boxes of all other areas as far as known. */
function savedShapes(overview: AreaOverview | undefined): GeoJSON.FeatureCollection {
  const features = (overview?.areas ?? []).flatMap(({ id, selection: { shape }, saved }) => {
    if (!saved) return [];
    if (shape.kind === "circle") return edges({ centre: shape, radiusMeters: shape.radiusMeters });
    const bbox: BBox | undefined = shape.kind === "bbox" ? shape.bbox : overview?.boxes[id];
    return bbox ? edges({ centre: undefined, radiusMeters: 0, area: { kind: "box", bbox } }) : [];
  });
  return { type: "FeatureCollection", features };
}

function edges(search: Parameters<typeof areaShape>[0]): GeoJSON.Feature[] {
  return areaShape(search).features.filter(({ properties }) => properties?.part === "edge");
}

export const COVERAGE_SOURCE = "coverage";
/** Highest zoom of coverage tiles. A hatched square is then about 200 m wide. */
const COVERAGE_MAX_ZOOM = 10;
/** Zoom from which on there is no hatching: roads show where there is data. */
const HATCH_END_ZOOM = 11;

/** Returns the source of coverage tiles with this URL template. */
export function coverageSource(url: string): SourceSpecification {
  return { type: "vector", tiles: [url], maxzoom: COVERAGE_MAX_ZOOM };
}

/** Opacity outside of an extract, which grows with the distance in steps. */
const VEIL: ExpressionSpecification = ["*", ["get", "step"], 0.022];

/** Returns the layers that show where there is data: dots, from zoom 7 hatching, from 8 a soft-edged veil outside an extract. */
export function coverageLayers(colour: Palette): LayerSpecification[] {
  return [
    {
      id: "covered",
      type: "fill",
      source: COVERAGE_SOURCE,
      "source-layer": "covered",
      minzoom: DOTS_END_ZOOM - 1,
      maxzoom: HATCH_END_ZOOM,
      paint: {
        "fill-pattern": HATCH,
        "fill-antialias": false,
        "fill-opacity": byZoom(DOTS_END_ZOOM - 1, 0, DOTS_END_ZOOM, 1, HATCH_END_ZOOM - 1, 0.6, HATCH_END_ZOOM, 0),
      },
    },
    {
      id: "outside",
      type: "fill",
      source: COVERAGE_SOURCE,
      "source-layer": "outside",
      minzoom: DOTS_END_ZOOM,
      paint: {
        "fill-color": colour.quietText,
        "fill-antialias": false,
        // the veil is thin next to the rows
        "fill-opacity": [
          "interpolate",
          ["linear"],
          ["zoom"],
          DOTS_END_ZOOM,
          0,
          DOTS_END_ZOOM + 1,
          VEIL,
          14,
          VEIL,
          15,
          0,
        ],
      },
    },
    {
      id: "coverage",
      type: "circle",
      source: COVERAGE_SOURCE,
      "source-layer": "coverage",
      maxzoom: DOTS_END_ZOOM,
      paint: {
        "circle-color": colour.quietText,
        "circle-radius": 6,
        "circle-stroke-color": colour.halo,
        "circle-stroke-width": 2,
        "circle-opacity": byZoom(6, 1, DOTS_END_ZOOM, 0),
        "circle-stroke-opacity": byZoom(6, 1, DOTS_END_ZOOM, 0),
      },
    },
  ];
}

export const READER_SOURCE = "reader";

/** Returns a point at the user's location; nothing if it is undefined. */
function readerShape(location: Centre | undefined): GeoJSON.FeatureCollection {
  if (!location) return NO_FEATURES;
  const geometry: GeoJSON.Point = { type: "Point", coordinates: [location.lon, location.lat] };
  return { type: "FeatureCollection", features: [{ type: "Feature", properties: {}, geometry }] };
}

/** Returns the layers of the user's location, in the colour of the user's own data. */
export function readerLayers(colour: Palette): LayerSpecification[] {
  return [
    {
      id: "reader-halo",
      type: "circle",
      source: READER_SOURCE,
      paint: { "circle-radius": 16, "circle-color": colour.overlay, "circle-opacity": 0.25 },
    },
    {
      id: "reader",
      type: "circle",
      source: READER_SOURCE,
      paint: {
        "circle-radius": 7,
        ...dotPaint(colour.overlay, colour.halo, 2.5),
      },
    },
  ];
}

/** Returns functions that draw the overlays. `redraw` draws them again after the style of the map was replaced. */
export function createOverlays(map: MapLibre) {
  const shapes = new Map([SAVED_SOURCE, XRAY_SOURCE, READER_SOURCE].map((source) => [source, NO_FEATURES]));
  const show = (source: string, data: GeoJSON.FeatureCollection) => {
    shapes.set(source, data);
    setData(map, source, data);
  };
  const overlays = OVERLAYS.map((overlay) => {
    const fill = createFiller<GeoJSON.Feature>(map, {
      sliceItems: SLICE_SHAPES,
      sliceOf: (features) => ({ [overlaySource(overlay)]: { type: "FeatureCollection", features: [...features] } }),
    });
    return { overlay, fill, features: [] as readonly GeoJSON.Feature[] };
  });
  return {
    redraw() {
      for (const [source, data] of shapes) setData(map, source, data);
      for (const { fill, features } of overlays) void fill(features);
    },
    drawSaved: (areas: AreaOverview | undefined) => show(SAVED_SOURCE, savedShapes(areas)),
    drawXray: (partitions: GeoJSON.FeatureCollection) => show(XRAY_SOURCE, partitions),
    drawReader: (location: Centre | undefined) => show(READER_SOURCE, readerShape(location)),
    drawOverlay(overlay: Overlay, features: readonly GeoJSON.Feature[]) {
      for (const drawn of overlays) {
        if (drawn.overlay !== overlay) continue;
        drawn.features = features;
        void drawn.fill(features);
      }
    },
  };
}
