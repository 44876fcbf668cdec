/**
 * An outline of land and sea for low zooms, shown until the map has drawn its own: the map needs longer to load than the page.
 * @module
 */
import { land } from "virtual:shipped-files";
import { useSignal, useSignalEffect } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { BBox } from "../../../data/format/bbox.ts";
import { shareOfWorld } from "../../../data/format/tile-id.ts";
import { palette } from "../../map/palette.ts";
import type { View } from "../address/index.ts";
import { baseMap, dataset, isDark } from "../state/index.ts";
import { fitPadding } from "./padding.ts";

/** Width of the world in the units of the outline. */
const WORLD_UNITS = 2048;
const TILE_PIXELS = 512;
/** Highest zoom for the outline. Above, it is too coarse, and the page shows plain land. */
const MAX_ZOOM = 6;
/** First view of a dataset of the whole world: the inhabited area. */
export const INHABITED: BBox = [-125, -42, 155, 66];
/** Copies of the world next to each other, by offset in worlds. */
const COPIES = [-1, 0, 1];

interface FirstLandProps {
  readonly container: RefObject<HTMLElement | null>;
  /** What the map shows; undefined before the map exists. */
  readonly shown: View | undefined;
  /** Returns what the map will show first. Called again when the dataset is known. */
  readonly start: () => View | BBox | undefined;
}

/** Draws the outline below the map, which is transparent until it has drawn land. */
export function FirstLand({ container, shown, start }: FirstLandProps) {
  const path = useSignal<string | undefined>(undefined);
  const viewBox = useSignal<string | undefined>(undefined);
  useEffect(() => {
    // without the outline the page shows plain land
    fetch(new URL(land.path, document.baseURI))
      .then((response) => (response.ok ? response.json() : undefined))
      .then((outline: string) => {
        path.value = outline;
      })
      .catch(() => {});
  }, [path]);
  useSignalEffect(() => {
    dataset.value;
    const look = start();
    if (container.current && look && !shown) viewBox.value = viewBoxOf(container.current, look);
  });
  useEffect(() => {
    if (container.current && shown) viewBox.value = viewBoxOf(container.current, shown);
  }, [container, shown, viewBox]);
  const colour = palette(isDark.value, baseMap.value === "muted");
  const isDrawn = path.value !== undefined && viewBox.value !== undefined;
  return (
    <svg
      class="map"
      aria-hidden="true"
      width="100%"
      height="100%"
      {...(isDrawn ? { viewBox: viewBox.value } : {})}
      style={{ background: isDrawn ? colour.water : colour.land }}
    >
      {isDrawn &&
        COPIES.map((copy) => (
          <path key={copy} d={path.value} fill={colour.land} transform={`translate(${copy * WORLD_UNITS})`} />
        ))}
    </svg>
  );
}

/**
 * Returns the part of the outline that a view shows, or that a map fitted to the box would show; undefined if it is closer than
 * zoom 6.
 */
function viewBoxOf(element: HTMLElement, look: View | BBox): string | undefined {
  const { clientWidth: width, clientHeight: height } = element;
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
    const pad = fitPadding(element);
    scale = Math.min((width - pad.left - pad.right) / (right - left), (height - pad.top - pad.bottom) / (bottom - top));
    x = (left + right + (pad.right - pad.left) / scale) / 2;
    y = (top + bottom + (pad.bottom - pad.top) / scale) / 2;
  }
  if (scale > TILE_PIXELS * 2 ** MAX_ZOOM) return undefined;
  // the map is not smaller than its window, and does not leave it
  scale = Math.max(scale, height);
  const [across, down] = [width / scale, height / scale];
  const top = Math.max(0, Math.min(1 - down, y - down / 2));
  return [x - across / 2, top, across, down].map((share) => share * WORLD_UNITS).join(" ");
}
