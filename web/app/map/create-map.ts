/**
 * Creates the map of the page, which shows the state of the page and changes it. This code is loaded after the first answer.
 * @module
 */
import { effect, untracked } from "@preact/signals";
import type { BBox } from "../../../data/format/bbox.ts";
import type { Centre, Search } from "../address/index.ts";
import { openFileRow } from "../files/index.ts";
import { overview } from "../saved-areas/index.ts";
import {
  baseMap,
  clickedAt,
  dataset,
  draft,
  found,
  hovered,
  isDark,
  isElsewhere,
  isShop,
  isSidePanelOpen,
  mapSettings,
  openRecord,
  overlayShapes,
  overlayTarget,
  pageState,
  panel,
  prefetch,
  presentLocation,
  problem,
  readerLocation,
  rememberView,
  searchWish,
  select,
  selected,
  shownBox,
  zoomWish,
} from "../state/index.ts";
import { language } from "../text/index.ts";
import { effectAfterPaint } from "./after-paint.ts";
import type { Circle } from "./circle-handles.ts";
import { type MapEvents, type MapHandle, type MapLook, openMap } from "./map-handle.ts";
import { elsewhere, firstLook, isChosenOnMap, searchAt } from "./map-search.ts";
import { followMatches, matches, openMatchAt } from "./matches.ts";
import { isXrayOn, xrayShapes } from "./xray.ts";

/** What clicks, drags and moves of the map change in the state. */
const STATE_EVENTS = {
  onCentre: (centre: Search["centre"]) => {
    // a customer who clicks on nothing asks nothing
    if (isShop) return;
    clickedAt.value = centre;
    searchAt({ centre });
  },
  onCircle: searchAt,
  onCircleDrag: (circle: Circle) => prefetch(elsewhere(circle)),
  onSelect: select,
  onMatch: ({ lon, lat }: Centre) => void openMatchAt(lon, lat),
  onRecord: openRecord,
  onHover(id: string | undefined) {
    hovered.value = id;
  },
  onFileRow: openFileRow,
  onView: rememberView,
  onBox: (bbox: BBox) => {
    shownBox.value = bbox;
  },
};

/** How the user wants the map to look. */
function mapLook(): MapLook {
  return { isDark: isDark.value, isMuted: baseMap.value === "muted", language: language.value };
}

/** Passes state on to the map. It may return a function that ends what it started. */
// biome-ignore lint/suspicious/noConfusingVoidType: most return nothing
type Follow = (map: MapHandle) => void | (() => void);

/** What the map draws. Each function runs again when a signal that it reads changes. */
const DRAWN: readonly Follow[] = [
  (map) => map.restyle(mapLook()),
  // the outlines belong to the panel
  (map) => map.drawXray(xrayShapes(isXrayOn.value && panel.value === "answer" ? found.value?.report : undefined)),
  (map) => map.drawReader(readerLocation.value),
  (map) => map.drawCoverage(draft.value.path),
  (map) => map.drawSaved(overview.value),
  (map) => map.drawOverlay("console", overlayShapes.console.value),
  (map) => map.drawOverlay("files", overlayShapes.files.value),
  (map) => map.drawOverlay("notes", overlayShapes.notes.value),
  (map) => map.drawSearch(pageState.value.search),
  (map) => map.drawResults(found.value),
  (map) => map.drawMatches(matches.value),
  () => followMatches(),
  (map) =>
    map.mark(
      "hovered",
      found.value?.records.find(({ id }) => id === hovered.value),
    ),
  (map) => map.mark("selected", selected.value),
  (map) => (dataset.value ? map.refresh() : undefined),
];

/** Returns functions that move the map to searches, records and boxes. */
function createFraming(): readonly Follow[] {
  let isCentred = false;
  let fitted: Search | undefined;
  return [
    (map) => {
      if (!dataset.value || isCentred) return;
      isCentred = true;
      const { box, search, view } = firstLook();
      if (box && !search && !view && !mapSettings.view) map.startAt(box);
    },
    (map) => overlayTarget.value && map.showBox(overlayTarget.value.bbox),
    (map) => {
      const shown = found.peek();
      if (searchWish.value && shown) map.fit(shown, { isWhole: true });
    },
    (map) => {
      const failed = problem.value && pageState.peek().search;
      const shown = found.value ?? (failed && { search: failed, records: [] });
      const { search, view } = pageState.peek();
      if (!shown || view) return undefined;
      // a list that became longer is not another search
      if (shown.search === fitted) return undefined;
      fitted = shown.search;
      const isByMap = search !== undefined && isChosenOnMap(search);
      return afterLayout(() =>
        map.fit(shown, { isByMap, country: search?.country ? presentLocation.peek()?.bbox : undefined }),
      );
    },
    // a panel next to the map, or a sheet that changes sides with the language, must not cover the search
    (map) => {
      isSidePanelOpen.value;
      language.value;
      const shown = found.peek();
      if (!shown || pageState.peek().view) return undefined;
      return afterLayout(() => map.fit(shown, { isWhole: true }));
    },
    (map) => selected.value && map.bringIntoView(selected.value),
    (map) => zoomWish.value && map.zoomTo(zoomWish.value.record),
  ];
}

/** Moves the map after the layout has settled, unless another box is requested first. Returns a function that cancels. */
function afterLayout(act: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => isElsewhere.peek() || act());
  });
  return () => cancelAnimationFrame(frame);
}

/**
 * Creates the map in the element, and connects it with the state until its `remove` is called. Undefined if the browser cannot
 * draw a map.
 */
export function createMap(container: HTMLElement, events: Pick<MapEvents, "onFirstLand" | "onTilesLost">) {
  const start = { ...firstLook(), ...untracked(mapLook) };
  const map = openMap(container, start, { ...STATE_EVENTS, ...events });
  if (!map) return undefined;
  const stops = [
    ...DRAWN.map((follow) => effectAfterPaint(() => follow(map))),
    ...createFraming().map((follow) => effect(() => follow(map))),
  ];
  return {
    ...map,
    remove() {
      for (const stop of stops) stop();
      map.remove();
    },
  };
}
