/** Buildings with a known height as solids coloured by height, and the legend of the colours. @module */
import type { FillExtrusionLayerSpecification, Map as MapLibre } from "maplibre-gl";
import { inLocal } from "../../map/expressions.ts";
import { formatCount, text } from "../text/index.ts";
import "../styles/buildings-3d.css";

export const SOLID_LAYER = "building-3d";
/** Lowest height of each colour in metres. */
const STEPS = [0, 5, 10, 20, 40] as const;
/** Colours from low to high. On a dark map the highest buildings are the brightest. */
const LIGHT = ["#d3dde6", "#a9c3dc", "#7aa3cc", "#4a7db3", "#1f4e8c"] as const;
const DARK = ["#3d4d5a", "#4d6c87", "#6190b8", "#88b7e0", "#c5e1fa"] as const;

/** Returns the layer that draws buildings as solids. Buildings without a known height stay flat. */
export function solidLayer(isDark: boolean): FillExtrusionLayerSpecification {
  const [first, ...others] = isDark ? DARK : LIGHT;
  const steps = others.flatMap((colour, index) => [STEPS[index + 1] ?? 0, colour]);
  return {
    id: SOLID_LAYER,
    type: "fill-extrusion",
    ...inLocal("building"),
    filter: ["has", "height"],
    paint: {
      "fill-extrusion-color": ["step", ["get", "height"], first, ...steps] as never,
      "fill-extrusion-height": ["get", "height"],
      "fill-extrusion-opacity": 0.9,
    },
  };
}

/** Adds the layer of solids to the map, below names and results, unless it is there. */
export function drawSolids(map: MapLibre, isDark: boolean): void {
  if (map.getLayer(SOLID_LAYER)) return;
  const above = map.getStyle().layers.find(({ type }) => type === "symbol")?.id;
  map.addLayer(solidLayer(isDark), above);
}

/** A list of the colours and the heights that they mean. */
export function HeightLegend({ isDark }: { readonly isDark: boolean }) {
  const colours = isDark ? DARK : LIGHT;
  return (
    <figure class="height-legend">
      <figcaption>{text("property.height")}</figcaption>
      <ul>
        {STEPS.map((from, index) => {
          const to = STEPS[index + 1];
          return (
            <li key={from}>
              <span class="height-colour" style={{ background: colours[index] }} />
              {to === undefined ? `≥ ${formatCount(from)}` : `${formatCount(from)}–${formatCount(to)}`} m
            </li>
          );
        })}
      </ul>
    </figure>
  );
}
