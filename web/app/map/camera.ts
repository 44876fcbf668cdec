/** Moves the map to records, boxes and views, so that they are not under the panels that cover it. @module */
import { LngLatBounds, type LngLatBoundsLike, type Map as MapLibre, type MapOptions } from "maplibre-gl";
import type { BBox } from "../../../data/format/bbox.ts";
import { metersBetween } from "../../../data/format/sphere.ts";
import type { Feature } from "../../engine/index.ts";
import { circleBounds } from "../../map/circle-shape.ts";
import { boundsOf, recordBounds } from "../../map/shapes.ts";
import { type Centre, isTurned, type PageState, type Search, type View } from "../address/index.ts";
import { type Found, mapSettings } from "../state/index.ts";
import { roundMeters } from "./circle-handles.ts";
import { INHABITED } from "./first-land.ts";
import { fitPadding, panelPadding } from "./padding.ts";

export interface FitOptions {
  /** Box of the country, for a search by country that has no records. */
  readonly country?: BBox | undefined;
  /**
   * Whether the user chose the location on the map. The map then stays if the centre of the circle is visible and the circle is
   * not larger than the map.
   */
  readonly isByMap?: boolean;
  /**
   * Whether the whole search must be visible. Otherwise, after a search at the same location, the rule of `isByMap` holds too.
   */
  readonly isWhole?: boolean;
}

const MAX_FIT_ZOOM = 17;
/** Zoom at which single houses are distinguishable. */
const NEAR_ZOOM = 18;
/** Smallest share of the free part of the map, in length, for a bbox. A smaller one is hard to see. */
const LEAST_SHARE = 0.2;
const MOVE_MS = 700;
/** Tilt in degrees and lowest zoom for solids, which then do not overlap. */
const SOLID_PITCH = 55;
const SOLID_ZOOM = 15.5;

/** Returns functions that move the map. Moves are not animated for users who want less motion. */
export function createCamera(map: MapLibre, container: HTMLElement) {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)");
  let fitted: Search | undefined;
  const moving = () => ({
    ...{ maxZoom: MAX_FIT_ZOOM, duration: MOVE_MS, animate: !isStill.matches },
    padding: fitPadding(container),
  });
  return {
    /** Shows the box at once, without animation: the dataset was opened after the map. */
    startAt(box: BBox) {
      map.fitBounds(wholeBox(box), { maxZoom: MAX_FIT_ZOOM, animate: false, padding: fitPadding(container) });
    },
    showBox(bbox: BBox) {
      map.fitBounds(wholeBox(bbox), moving());
    },
    showView(view: View) {
      map.jumpTo(cameraOf(view));
    },
    /** Moves the map to the search, unless it is visible and large enough. Moves always to a drawn area. */
    fit(found: Pick<Found, "search" | "records">, { country, isByMap = false, isWhole = false }: FitOptions = {}) {
      const bounds = boundsOf(found) ?? (country && wholeBox(country));
      if (!bounds) return;
      const { search } = found;
      const isKnown = !isWhole && (isByMap || isSameLocation(search, fitted));
      fitted = search;
      const options = moving();
      const camera = map.cameraForBounds(bounds, options);
      const isInView =
        isKnown && search.centre ? isSeen(map, container, search.centre) : isBoxSeen(map, container, bounds);
      const zoomGap = (camera?.zoom ?? 0) - map.getZoom();
      if (!search.area && isInView && zoomGap >= -0.05 && 2 ** -zoomGap > LEAST_SHARE) return;
      map.fitBounds(bounds, options);
    },
    zoomTo(record: Feature) {
      const bounds = recordBounds(record);
      const options = { ...moving(), maxZoom: NEAR_ZOOM };
      if (bounds) map.fitBounds(bounds, options);
    },
    bringIntoView(record: Feature) {
      const bounds = recordBounds(record);
      if (!bounds) return;
      const [west, south, east, north] = bounds;
      if (isSeen(map, container, { lon: (west + east) / 2, lat: (south + north) / 2 })) return;
      const maxZoom = Math.max(map.getZoom(), 15);
      map.fitBounds(bounds, { ...moving(), maxZoom });
    },
    /** Returns the position in the middle of the part of the map that no panel covers. */
    middle: () => wrapped(map.unproject(freePart(container).middle)),
    /** Returns the largest circle in the part of the map that no panel covers. */
    freeCircle() {
      const { middle, reach } = freePart(container);
      const centre = wrapped(map.unproject(middle));
      const edge = wrapped(map.unproject([middle[0], middle[1] - reach]));
      return { centre, radiusMeters: roundMeters(metersBetween(centre, edge)) };
    },
    /** Tilts the map, or returns it to straight from above with north up, unless it has that view already. */
    tilt(isOn: boolean) {
      if (isOn === isTurned(viewOf(map))) return;
      const camera = isOn
        ? { pitch: SOLID_PITCH, zoom: Math.max(map.getZoom(), SOLID_ZOOM) }
        : { pitch: 0, bearing: 0 };
      map.easeTo({ ...camera, animate: !isStill.matches }, { isTilt: true });
    },
  };
}

export interface FirstView extends Pick<PageState, "search" | "view"> {
  readonly box?: BBox | undefined;
}

/**
 * Returns the view with which the map starts, so that no unnecessary tile is drawn: that of the URL, otherwise the circle of the
 * search, the view in `map.json` if there is no search, or `box`.
 */
export function firstView(container: HTMLElement, { view, search, box = INHABITED }: FirstView): Partial<MapOptions> {
  const first = view ?? (search ? undefined : mapSettings.view);
  if (first) return cameraOf(first);
  const bounds = search?.centre ? circleBounds(search.centre, search.radiusMeters) : wholeBox(box);
  return { bounds, fitBoundsOptions: { padding: fitPadding(container), maxZoom: MAX_FIT_ZOOM } };
}

/** Returns the present view. Bearing and pitch are in whole degrees, and left out if 0. */
export function viewOf(map: MapLibre): View {
  const [bearing, pitch] = [Math.round(map.getBearing()), Math.round(map.getPitch())];
  const looks = { ...(bearing === 0 ? {} : { bearing }), ...(pitch === 0 ? {} : { pitch }) };
  return { ...wrapped(map.getCenter()), zoom: map.getZoom(), ...looks };
}

/** Returns a position of MapLibre with its longitude from -180 to 180 degrees. */
export function wrapped(position: { wrap(): { lng: number; lat: number } }): Centre {
  const { lng, lat } = position.wrap();
  return { lon: lng, lat };
}

function cameraOf({ lon, lat, zoom, bearing = 0, pitch = 0 }: View) {
  return { center: [lon, lat] as [number, number], zoom, bearing, pitch };
}

/** Returns the middle of the part of the map that no panel covers, and the distance from there to the nearest edge, in pixels. */
function freePart(container: HTMLElement): { middle: [number, number]; reach: number } {
  const { top, left, right, bottom } = panelPadding(container);
  const [width, height] = [container.clientWidth - left - right, container.clientHeight - top - bottom];
  return { middle: [left + width / 2, top + height / 2], reach: Math.max(1, Math.min(width, height) / 2) };
}

/** Whether the position is in the part of the map that no panel covers. */
function isSeen(map: MapLibre, container: HTMLElement, { lon, lat }: Centre): boolean {
  const { x, y } = map.project([lon, lat]);
  const { top, left, right, bottom } = panelPadding(container);
  return x > left && y > top && x < container.clientWidth - right && y < container.clientHeight - bottom;
}

/** Whether the whole box is in the part of the map that no panel covers. */
function isBoxSeen(map: MapLibre, container: HTMLElement, bounds: LngLatBoundsLike): boolean {
  const box = LngLatBounds.convert(bounds);
  return [box.getSouthWest(), box.getNorthEast()].every(({ lng, lat }) => isSeen(map, container, { lon: lng, lat }));
}

function isSameLocation(search: Search, other: Search | undefined): boolean {
  const location = ({ centre, radiusMeters, area, country }: Search) =>
    JSON.stringify([centre, centre && radiusMeters, area, country]);
  return other !== undefined && location(search) === location(other);
}

/** Returns the box, with an east above 180 degrees if it crosses the antimeridian. */
function wholeBox([west, south, east, north]: BBox): LngLatBoundsLike {
  return [west, south, east < west ? east + 360 : east, north];
}
