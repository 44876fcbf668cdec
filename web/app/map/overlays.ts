/** What the reader's own SQL or files give, in a colour of its own below what was searched. @module */
import type { LayerSpecification, SourceSpecification } from "maplibre-gl";
import { byZoom, isA } from "../../map/expressions.ts";
import type { Palette } from "../../map/palette.ts";
import { NO_FEATURES } from "../../map/shapes.ts";
import type { Guest } from "../state/index.ts";

export const GUESTS: readonly Guest[] = ["console", "files"];

export const guestSource = (guest: Guest) => `guest-${guest}`;
/** Layers of files, which answer to the pointer. */
export const FILE_LAYERS = ["point", "line", "fill"].map((part) => `${guestSource("files")}-${part}`);

export function guestSources(): Record<string, SourceSpecification> {
  return Object.fromEntries(GUESTS.map((guest) => [guestSource(guest), { type: "geojson", data: NO_FEATURES }]));
}

export function guestLayers(colour: Palette): LayerSpecification[] {
  return GUESTS.flatMap((guest): LayerSpecification[] => {
    const source = guestSource(guest);
    return [
      {
        id: `${source}-fill`,
        type: "fill",
        source,
        filter: isA("Polygon"),
        paint: { "fill-color": colour.guest, "fill-opacity": 0.18 },
      },
      {
        id: `${source}-line`,
        type: "line",
        source,
        filter: ["!=", ["geometry-type"], "Point"],
        layout: { "line-cap": "round", "line-join": "round" },
        paint: { "line-color": colour.guest, "line-width": ["match", ["geometry-type"], "Polygon", 1.5, 3] },
      },
      {
        id: `${source}-point`,
        type: "circle",
        source,
        filter: isA("Point"),
        paint: {
          "circle-color": colour.guest,
          "circle-stroke-color": colour.halo,
          "circle-stroke-width": 1.2,
          "circle-radius": byZoom(4, 3, 12, 5, 17, 7),
        },
      },
    ];
  });
}
