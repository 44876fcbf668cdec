/** The map follows the state of the page, and changes it. @module */
import { type Signal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { BBox } from "../../../data/format/bbox.ts";
import { type Centre, changed, formatPageState, type Search, startBox } from "../address/index.ts";
import { openFileRow } from "../files/index.ts";
import { overview } from "../saved-areas/index.ts";
import {
  baseMap,
  changeSearch,
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
import type { Circle } from "./circle-handles.ts";
import type { MapHandle, MapLook } from "./create-map.ts";
import { followMatches, matches, openMatchAt } from "./matches.ts";
import { isXrayOn, xrayShapes } from "./xray.ts";

/** Undefined until the map is loaded. */
export type MapSignal = Signal<MapHandle | undefined>;

/** Handlers of clicks, drags and other views of the map. */
export const stateEvents = {
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

/** Returns what the map shows first: the search and view of the URL, otherwise the box of the dataset. */
export function firstLook() {
  const { search, view } = pageState.peek();
  return { search, view, path: draft.peek().path, box: mapSettings.box ?? startBox(dataset.peek()) };
}

/** Returns how the user wants the map to look. */
export function mapLook(): MapLook {
  return { isDark: isDark.value, isMuted: baseMap.value === "muted", language: language.value };
}

/** Returns the same search in another location, without the country, which could exclude its results. */
export function elsewhere(location: Partial<Pick<Search, "centre" | "radiusMeters" | "area">>): Search {
  return changed(draft.peek(), { ...location, country: undefined });
}

/** The URL of the search whose location was last chosen on the map. */
let chosenOnMap = "";

/** Searches in a location that was chosen on the map. */
export function searchAt(location: Parameters<typeof elsewhere>[0]): void {
  changeSearch({ ...location, country: undefined });
  const { search } = pageState.peek();
  if (search) chosenOnMap = formatPageState({ search });
}

/** Draws what the state has. */
export function useDrawn(map: MapSignal): void {
  useSignalEffect(() => map.value?.restyle(mapLook()));
  useSignalEffect(() => {
    // the outlines belong to the panel
    const isShown = isXrayOn.value && panel.value === "answer";
    map.value?.drawXray(xrayShapes(isShown ? found.value?.report : undefined));
  });
  useSignalEffect(() => map.value?.drawReader(readerLocation.value));
  useSignalEffect(() => map.value?.drawCoverage(draft.value.path));
  useSignalEffect(() => map.value?.drawSaved(overview.value));
  useSignalEffect(() => map.value?.drawOverlay("console", overlayShapes.console.value));
  useSignalEffect(() => map.value?.drawOverlay("files", overlayShapes.files.value));
  useSignalEffect(() => map.value?.drawOverlay("notes", overlayShapes.notes.value));
  useSignalEffect(() => map.value?.drawSearch(pageState.value.search));
  useSignalEffect(() => map.value?.drawResults(found.value));
  useSignalEffect(() => map.value?.drawMatches(matches.value));
  useSignalEffect(() => (map.value ? followMatches() : undefined));
  useSignalEffect(() =>
    map.value?.mark(
      "hovered",
      found.value?.records.find(({ id }) => id === hovered.value),
    ),
  );
  useSignalEffect(() => map.value?.mark("selected", selected.value));
  useSignalEffect(() => {
    if (dataset.value) map.value?.refresh();
  });
}

/** Moves the map to searches, records and boxes. */
export function useFraming(map: MapSignal): void {
  const isCentred = useRef(false);
  const fitted = useRef<Search | undefined>(undefined);
  useSignalEffect(() => {
    if (!map.value || !dataset.value || isCentred.current) return;
    isCentred.current = true;
    const { box, search, view } = firstLook();
    if (box && !search && !view && !mapSettings.view) map.value.startAt(box);
  });
  useSignalEffect(() => {
    if (overlayTarget.value) map.value?.showBox(overlayTarget.value.bbox);
  });
  useSignalEffect(() => {
    const shown = found.peek();
    if (searchWish.value && shown) map.value?.fit(shown, { isWhole: true });
  });
  useSignalEffect(() => {
    const failed = problem.value && pageState.peek().search;
    const shown = found.value ?? (failed && { search: failed, records: [] });
    const { search, view } = pageState.peek();
    if (!shown || view || !map.value) return undefined;
    // a list that became longer is not another search
    if (shown.search === fitted.current) return undefined;
    fitted.current = shown.search;
    const isByMap = search !== undefined && formatPageState({ search }) === chosenOnMap;
    const shownMap = map.value;
    return afterLayout(() =>
      shownMap.fit(shown, { isByMap, country: search?.country ? presentLocation.peek()?.bbox : undefined }),
    );
  });
  // a panel next to the map, or a sheet that changes sides with the language, must not cover the search
  useSignalEffect(() => {
    isSidePanelOpen.value;
    language.value;
    const shown = found.peek();
    if (!shown || pageState.peek().view || !map.value) return undefined;
    const shownMap = map.value;
    return afterLayout(() => shownMap.fit(shown, { isWhole: true }));
  });
  useSignalEffect(() => {
    if (selected.value) map.value?.bringIntoView(selected.value);
  });
  useSignalEffect(() => {
    if (zoomWish.value) map.value?.zoomTo(zoomWish.value.record);
  });
}

/**
 * Fits the map after the layout has settled, unless another box is requested first. Returns a function that cancels.
 */
function afterLayout(act: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => isElsewhere.peek() || act());
  });
  return () => cancelAnimationFrame(frame);
}
