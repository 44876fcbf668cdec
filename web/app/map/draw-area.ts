/** Drawing an area on the map. Loaded when somebody begins to draw. @module */
import type { Map as MapLibre } from "maplibre-gl";
import { TerraDraw, TerraDrawPolygonMode, TerraDrawRectangleMode } from "terra-draw";
import { TerraDrawMapLibreGLAdapter } from "terra-draw-maplibre-gl-adapter";
import type { Position } from "../../../data/format/geometry.ts";
import type { DrawnArea } from "../../map/drawn-area.ts";
import { drawnAreaOf } from "./drawn-area.ts";

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
