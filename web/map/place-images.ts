/** Images of place icons: a coloured disc with an icon of Maki. Loaded and drawn when the map first needs one. @module */
import type { Map as MapLibre } from "maplibre-gl";
import type { PlaceGroup } from "../hosts/browser/protocol/index.ts";
import type { Palette } from "./palette.ts";

/** Side of an image, in pixels of the screen. */
const SIDE = 20;
/** Side of an icon of Maki, and as it is drawn on the disc. */
const ICON_SIDE = 15;
const DRAWN_SIDE = 12;
const PIXEL_RATIO = 2;

/** Draws images as the style asks for them, in the present colours. */
export function drawPlaceImages(map: MapLibre, colour: () => Palette): void {
  let maki: Readonly<Record<string, string>> | undefined;
  map.on("styleimagemissing", ({ id }) => {
    const [group = "other", icon = ""] = id.split("/");
    if (map.hasImage(id)) return;
    map.addImage(id, imageOf(maki?.[icon], placeColour(colour(), group as PlaceGroup)), { pixelRatio: PIXEL_RATIO });
    if (maki) return;
    // until the icons are loaded there is a plain disc
    import("./maki.ts").then(
      ({ MAKI }) => {
        maki = MAKI;
        if (map.hasImage(id)) map.updateImage(id, imageOf(MAKI[icon], placeColour(colour(), group as PlaceGroup)));
      },
      () => {},
    );
  });
}

/** The colour of a group of places. */
export function placeColour(colour: Palette, group: PlaceGroup): string {
  return colour[`${group}Place`];
}

function imageOf(icon: string | undefined, colour: string): ImageData {
  const canvas = document.createElement("canvas");
  canvas.width = SIDE * PIXEL_RATIO;
  canvas.height = SIDE * PIXEL_RATIO;
  const context = canvas.getContext("2d");
  if (!context) return new ImageData(canvas.width, canvas.height);
  context.scale(PIXEL_RATIO, PIXEL_RATIO);
  const middle = SIDE / 2;
  const path = /\sd="([^"]+)"/.exec(icon ?? "")?.[1]?.replaceAll("&#xA;&#x9;", " ");
  const isDot = path === undefined || icon?.includes('id="circle"');
  context.fillStyle = "#fff";
  context.beginPath();
  context.arc(middle, middle, isDot ? 5.5 : middle, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = colour;
  context.beginPath();
  context.arc(middle, middle, isDot ? 4.2 : middle - 1, 0, 2 * Math.PI);
  context.fill();
  if (path !== undefined && !isDot) {
    context.translate(middle - DRAWN_SIDE / 2, middle - DRAWN_SIDE / 2);
    context.scale(DRAWN_SIDE / ICON_SIDE, DRAWN_SIDE / ICON_SIDE);
    context.fillStyle = "#fff";
    context.fill(new Path2D(path));
  }
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
