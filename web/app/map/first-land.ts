/**
 * An outline of land and sea for low zooms, shown until the map has drawn its own: the map needs longer to load than the page.
 * The head of the start page loads this script before all others, so that the first paint shows land.
 * @module
 */
import { land } from "virtual:shipped-files";
import type { BBox } from "../../../data/format/bbox.ts";
import { shareOfWorld } from "../../../data/format/tile-id.ts";
import { type Palette, palette } from "../../map/palette.ts";
import type { View } from "../address/index.ts";
import { mapSettings } from "../settings/map-settings.ts";
import { storedBaseMap, storedTheme } from "../settings/stored-theme.ts";
import { type Padding, startPadding } from "./padding.ts";

/** Width of the world in the units of the outline. */
const WORLD_UNITS = 2048;
const TILE_PIXELS = 512;
/** Highest zoom for the outline. Above, it is too coarse, and the page shows plain land. */
const MAX_ZOOM = 6;
/** First view of a dataset of the whole world: the inhabited area. */
export const INHABITED: BBox = [-125, -42, 155, 66];
/** Copies of the world next to each other, by offset in worlds. */
const COPIES = [-1, 0, 1];

/** Size of the map, and how much of it the panels cover, in pixels. */
interface MapSize {
  readonly width: number;
  readonly height: number;
  readonly padding: Padding;
}

type Colours = Pick<Palette, "land" | "water">;

const svg = element("svg", { class: "map", "aria-hidden": "true", width: "100%", height: "100%" });
const paths = COPIES.map((copy) => element("path", { transform: `translate(${copy * WORLD_UNITS})` }));
let isLoaded = false;
let drawn: Parameters<typeof showFirstLand> | undefined;

// without the outline the page shows plain land
fetch(new URL(land.path, document.baseURI))
  .then((response) => (response.ok ? response.json() : undefined))
  .then((outline: string | undefined) => {
    if (!outline) return;
    for (const path of paths) path.setAttribute("d", outline);
    isLoaded = true;
    if (drawn) showFirstLand(...drawn);
  })
  .catch(() => {});

// a search starts closer than zoom 6
if (/^#?\/?$/.test(location.hash)) {
  const { innerWidth: width, innerHeight: height } = window;
  const theme = storedTheme();
  const isDark = theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
  showFirstLand(
    mapSettings.view ?? mapSettings.box ?? INHABITED,
    { width, height, padding: startPadding(width, height) },
    palette(isDark, storedBaseMap() === "muted"),
  );
}

/**
 * Draws the outline below the map, which is transparent until it has drawn land. `look` is what the map shows, or the box to
 * which it will be fitted. Closer than zoom 6, and without a look, plain land is drawn.
 */
export function showFirstLand(look: View | BBox | undefined, size: MapSize, colours: Colours): void {
  drawn = [look, size, colours];
  const viewBox = isLoaded && look ? viewBoxOf(look, size) : undefined;
  svg.style.background = viewBox ? colours.water : colours.land;
  for (const path of paths) path.setAttribute("fill", colours.land);
  if (viewBox) svg.setAttribute("viewBox", viewBox);
  svg.replaceChildren(...(viewBox ? paths : []));
  if (!svg.isConnected) document.body.prepend(svg);
}

/** Removes the outline: the map has drawn its own, or there is no map. */
export function removeFirstLand(): void {
  drawn = undefined;
  svg.remove();
}

function element<N extends "svg" | "path">(
  name: N,
  attributes: Readonly<Record<string, string>>,
): SVGElementTagNameMap[N] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/**
 * Returns the part of the outline that a view shows, or that a map fitted to the box would show; undefined if it is closer than
 * zoom 6.
 */
function viewBoxOf(look: View | BBox, { width, height, padding }: MapSize): string | undefined {
  let x: number;
  let y: number;
  let scale: number;
  if ("zoom" in look) {
    [x, y] = shareOfWorld(look);
    scale = TILE_PIXELS * 2 ** look.zoom;
  } else {
    const [west, south, east, north] = look;
    const [left, bottom] = shareOfWorld({ lon: west, lat: south });
    const [right, top] = shareOfWorld({ lon: east < west ? east + 360 : east, lat: north });
    scale = Math.min(
      (width - padding.left - padding.right) / (right - left),
      (height - padding.top - padding.bottom) / (bottom - top),
    );
    x = (left + right + (padding.right - padding.left) / scale) / 2;
    y = (top + bottom + (padding.bottom - padding.top) / scale) / 2;
  }
  if (scale > TILE_PIXELS * 2 ** MAX_ZOOM) return undefined;
  // the map is not smaller than its window, and does not leave it
  scale = Math.max(scale, height);
  const [across, down] = [width / scale, height / scale];
  const top = Math.max(0, Math.min(1 - down, y - down / 2));
  return [x - across / 2, top, across, down].map((share) => share * WORLD_UNITS).join(" ");
}
