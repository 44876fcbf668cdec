import type { Position } from "../../../data/format/geometry.ts";
import { type DrawnArea, formatDrawnArea, parseDrawnArea } from "../../map/drawn-area.ts";

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
