/** Drawing an area on the map. Loaded when somebody begins to draw. @module */
import type { Map as MapLibre } from "maplibre-gl";
import { TerraDraw, TerraDrawPolygonMode, TerraDrawRectangleMode } from "terra-draw";
import { TerraDrawMapLibreGLAdapter } from "terra-draw-maplibre-gl-adapter";
import type { Position } from "../../../data/format/geometry.ts";
import { type DrawnArea, formatDrawnArea, parseDrawnArea } from "../../map/drawn-area.ts";

export type DrawnAreaKind = DrawnArea["kind"];

export interface DrawOptions {
  /** `#rrggbb`. */
  readonly colour: `#${string}`;
  readonly onDone: (area: DrawnArea) => void;
}

/** Lets the reader draw one area. Returns how to stop before it is done. */
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
    // The library is still at work on the tap that finished.
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

/** The area of a closed ring whose longitudes may lie in any turn of the globe; undefined when it has no inside. */
export function drawnAreaOf(kind: DrawnArea["kind"], ring: readonly Position[]): DrawnArea | undefined {
  if (kind === "polygon") return sound({ kind, ring: ring.slice(0, -1).map(([lon, lat]) => [wrap(lon), lat]) });
  const [lons, lats] = [ring.map(([lon]) => lon), ring.map(([, lat]) => lat)];
  const [west, east] = [Math.min(...lons), Math.max(...lons)];
  const isRound = east - west >= 360;
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  return sound({ kind, bbox: [isRound ? -180 : wrap(west), south, isRound ? 180 : wrap(east), north] });
}

/** The area as its address has it, rounded; undefined when no address can. */
function sound(area: DrawnArea): DrawnArea | undefined {
  const parsed = parseDrawnArea(formatDrawnArea(area));
  return parsed?.kind === area.kind ? parsed : undefined;
}

function wrap(lon: number): number {
  return lon >= -180 && lon <= 180 ? lon : ((((lon + 180) % 360) + 360) % 360) - 180;
}
