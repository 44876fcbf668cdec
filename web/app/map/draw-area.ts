/** Drawing an area on the map. Loaded on first use. @module */
import type { Map as MapLibre } from "maplibre-gl";
import { TerraDraw, TerraDrawPolygonMode, TerraDrawRectangleMode } from "terra-draw";
import { TerraDrawMapLibreGLAdapter } from "terra-draw-maplibre-gl-adapter";
import type { Position } from "../../../data/format/geometry.ts";
import { type DrawnArea, formatDrawnArea, parseDrawnArea } from "../../map/drawn-area.ts";

export type DrawnAreaKind = DrawnArea["kind"];

interface DrawOptions {
  readonly colour: `#${string}`;
  readonly onDone: (area: DrawnArea) => void;
}

/** Lets the user draw one area, and calls `onDone` with it. Returns a function that cancels the drawing. */
export function drawArea(map: MapLibre, kind: DrawnAreaKind, { colour, onDone }: DrawOptions): () => void {
  const look = { fillColor: colour, fillOpacity: 0.1, outlineColor: colour, outlineWidth: 2 };
  const points = {
    closingPointColor: colour,
    closingPointOutlineColor: "#ffffff" as const,
    closingPointWidth: 6,
    closingPointOutlineWidth: 2,
  };
  const mode =
    kind === "box"
      ? new TerraDrawRectangleMode({ styles: look, drawInteraction: "click-move-or-drag" })
      : new TerraDrawPolygonMode({ styles: { ...look, ...points } });
  const drawing = new TerraDraw({ adapter: new TerraDrawMapLibreGLAdapter({ map }), modes: [mode] });
  drawing.start();
  drawing.setMode(mode.mode);
  const stop = () => {
    if (drawing.enabled) drawing.stop();
  };
  drawing.on("finish", (id) => {
    const geometry = drawing.getSnapshotFeature(id)?.geometry;
    if (geometry?.type !== "Polygon") return;
    const ring = (geometry.coordinates[0] ?? []) as unknown as Position[];
    const area = drawnAreaOf(kind, ring);
    // The library is still handling the final tap.
    setTimeout(() => {
      if (!drawing.enabled) return;
      if (area) {
        stop();
        onDone(area);
      } else drawing.clear();
    });
  });
  return stop;
}

/**
 * Returns the area of a closed ring of `[lon, lat]`, whose longitudes may be in any copy of the world; undefined if it has no
 * inside.
 */
export function drawnAreaOf(kind: DrawnArea["kind"], ring: readonly Position[]): DrawnArea | undefined {
  if (kind === "polygon") return sound({ kind, ring: ring.slice(0, -1).map(([lon, lat]) => [wrap(lon), lat]) });
  const [lons, lats] = [ring.map(([lon]) => lon), ring.map(([, lat]) => lat)];
  const [west, east] = [Math.min(...lons), Math.max(...lons)];
  const isRound = east - west >= 360;
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  return sound({ kind, bbox: [isRound ? -180 : wrap(west), south, isRound ? 180 : wrap(east), north] });
}

/** Returns the area rounded as in the URL; undefined if no URL can contain it. */
function sound(area: DrawnArea): DrawnArea | undefined {
  const parsed = parseDrawnArea(formatDrawnArea(area));
  return parsed?.kind === area.kind ? parsed : undefined;
}

function wrap(lon: number): number {
  return lon >= -180 && lon <= 180 ? lon : ((((lon + 180) % 360) + 360) % 360) - 180;
}
