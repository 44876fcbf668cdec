/** Images of the map style: hatching, and coloured discs with icons of Maki. The icons are loaded with the first disc. @module */
import type { Map as MapLibre } from "maplibre-gl";
import type { PlaceGroup } from "../hosts/browser/protocol/index.ts";
import type { Palette } from "./palette.ts";

/** Side of a disc, in pixels of the screen. */
const SIDE = 20;
/** Side of a Maki icon in its own units. `DRAWN_SIDE` is its side on the disc in pixels. */
const ICON_SIDE = 15;
const DRAWN_SIDE = 12;
const PIXEL_RATIO = 2;

/** Name of the image of hatching, which shows where there is data. */
export const HATCH = "hatch";
/** Side of the hatching in pixels. A power of two, so that copies join. */
const HATCH_SIDE = 16;

/**
 * Draws images when the style asks for them, in the colours at that time. `loadIcons` returns Maki icons as JSON: SVG paths by
 * name. While that fails, places are plain dots.
 */
export function drawImages(map: MapLibre, colour: () => Palette, loadIcons: () => Promise<string>): void {
  let icons: Promise<Icons> | undefined;
  const loaded = () => {
    icons ??= loadIcons().then(JSON.parse);
    return icons.catch(() => {
      // asked for again with the next image
      icons = undefined;
      return NO_ICONS;
    });
  };
  map.setMissingStyleImageResolver(async (id) => {
    const [group = "", icon] = id.split("/");
    // without the icons there is a plain disc
    const maki = icon === undefined ? NO_ICONS : await loaded();
    if (map.hasImage(id)) return;
    const image =
      id === HATCH
        ? hatchImage(colour())
        : imageOf(icon === "circle" ? undefined : maki[icon ?? ""], placeColour(colour(), group));
    map.addImage(id, image, { pixelRatio: PIXEL_RATIO });
  });
}

/** SVG paths by name. */
type Icons = Readonly<Record<string, string>>;
const NO_ICONS: Icons = {};

/** Returns diagonal lines that repeat in both directions. */
function hatchImage(colour: Palette): ImageData {
  const canvas = document.createElement("canvas");
  canvas.width = HATCH_SIDE;
  canvas.height = HATCH_SIDE;
  const context = canvas.getContext("2d");
  if (!context) return new ImageData(HATCH_SIDE, HATCH_SIDE);
  context.strokeStyle = colour.quietText;
  context.globalAlpha = 0.5;
  context.lineWidth = 1.6;
  context.beginPath();
  for (const shift of [-HATCH_SIDE, 0, HATCH_SIDE]) {
    context.moveTo(shift - 2, HATCH_SIDE + 2);
    context.lineTo(shift + HATCH_SIDE + 2, -2);
  }
  context.stroke();
  return context.getImageData(0, 0, HATCH_SIDE, HATCH_SIDE);
}

/** Returns the colour of a group of places; for an unknown group, that of `other`. */
export function placeColour(colour: Palette, group: string): string {
  return colour[`${group as PlaceGroup}Place`] ?? colour.otherPlace;
}

function imageOf(path: string | undefined, colour: string): ImageData {
  const canvas = document.createElement("canvas");
  canvas.width = SIDE * PIXEL_RATIO;
  canvas.height = SIDE * PIXEL_RATIO;
  const context = canvas.getContext("2d");
  if (!context) return new ImageData(canvas.width, canvas.height);
  context.scale(PIXEL_RATIO, PIXEL_RATIO);
  const middle = SIDE / 2;
  const isDot = path === undefined;
  context.fillStyle = "#fff";
  context.beginPath();
  context.arc(middle, middle, isDot ? 5.5 : middle, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = colour;
  context.beginPath();
  context.arc(middle, middle, isDot ? 4.2 : middle - 1, 0, 2 * Math.PI);
  context.fill();
  if (path !== undefined) {
    context.translate(middle - DRAWN_SIDE / 2, middle - DRAWN_SIDE / 2);
    context.scale(DRAWN_SIDE / ICON_SIDE, DRAWN_SIDE / ICON_SIDE);
    context.fillStyle = "#fff";
    context.fill(new Path2D(path));
  }
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
