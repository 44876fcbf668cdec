import { untracked, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { BBox } from "../../../data/format/bbox.ts";
import { changed, formatPageState, type Search, startBox } from "../address/index.ts";
import { openFileRow } from "../files/index.ts";
import { overview } from "../saved-areas/index.ts";
import {
  changeSearch,
  clickedAt,
  dataset,
  draft,
  foresee,
  found,
  ground,
  guestShapes,
  guestWish,
  hovered,
  isBesideOpen,
  isDark,
  isElsewhere,
  mapSettings,
  networkState,
  pageState,
  panel,
  presentPlace,
  problem,
  readerPlace,
  rememberView,
  searchWish,
  select,
  selected,
  shownBox,
  zoomWish,
} from "../state/index.ts";
import { language, text } from "../text/index.ts";
import { answerStands } from "./answer-stands.ts";
import { Attribution } from "./attribution.tsx";
import type { Circle } from "./circle-handles.ts";
import type { MapHandle, MapLook } from "./create-map.ts";
import type { DrawnAreaKind } from "./draw-area.ts";
import { MapTools } from "./map-tools.tsx";
import { isXrayOn, xrayShapes } from "./xray.ts";

/** A search that takes longer gets a map to be seen meanwhile. */
const PATIENCE_MS = 2000;

/** The map: shows what was searched and found, and sets the place of the next search. */
export function MapView({ onUnavailable }: { onUnavailable: () => void }) {
  const container = useRef<HTMLDivElement>(null);
  const map = useSignal<MapHandle | undefined>(undefined);
  /** Whether the map has been moved to where the dataset is, if it was to be. */
  const isPlaced = useRef(false);
  const drawing = useSignal<{ readonly kind: DrawnAreaKind; readonly stop: () => void } | undefined>(undefined);

  useEffect(() => {
    const element = container.current;
    const onHover = (id: string | undefined) => {
      hovered.value = id;
    };
    const events = {
      onCentre: (centre: Search["centre"]) => {
        clickedAt.value = centre;
        searchElsewhere({ centre });
      },
      onCircle: searchElsewhere,
      onCircleDrag: (circle: Circle) => foresee(elsewhere(circle)),
      onSelect: select,
      onHover,
      onFileRow: openFileRow,
      onView: rememberView,
      onBox: (bbox: BBox) => {
        shownBox.value = bbox;
      },
    };
    const look = untracked(mapLook);
    // MapLibre is most of the page's weight, and to start it takes as long as a search does
    const making = answerStands(PATIENCE_MS)
      .then(() => import("./create-map.ts"))
      .then(({ createMap }) => element && createMap(element, { ...firstLook(), ...look }, events));
    making.then(
      (made) => {
        if (made) map.value = made;
        else onUnavailable();
      },
      () => onUnavailable(),
    );
    // A map that could not be made is reported above.
    return () => void making.then((made) => made?.remove()).catch(() => {});
  }, [map, onUnavailable]);

  useSignalEffect(() => map.value?.restyle(mapLook()));
  useSignalEffect(() => {
    if (!map.value || !dataset.value || isPlaced.current) return;
    isPlaced.current = true;
    const { box, search, view } = firstLook();
    if (box && !search && !view && !mapSettings.view) map.value.startAt(box);
  });
  useSignalEffect(() => {
    // the outlines are the panel's: they go with it
    const isShown = isXrayOn.value && panel.value === "answer";
    map.value?.drawXray(xrayShapes(isShown ? found.value?.report : undefined));
  });
  useSignalEffect(() => map.value?.drawReader(readerPlace.value));
  useSignalEffect(() => map.value?.drawCoverage(draft.value.path));
  useSignalEffect(() => map.value?.drawSaved(overview.value));
  useSignalEffect(() => map.value?.drawGuests("console", guestShapes.console.value));
  useSignalEffect(() => map.value?.drawGuests("files", guestShapes.files.value));
  useSignalEffect(() => map.value?.drawGuests("notes", guestShapes.notes.value));
  useSignalEffect(() => {
    if (guestWish.value) map.value?.showBox(guestWish.value.bbox);
  });
  useSignalEffect(() => {
    const shown = found.peek();
    if (searchWish.value && shown) map.value?.fit(shown, { isWhole: true });
  });
  useSignalEffect(() => map.value?.drawSearch(pageState.value.search));
  useSignalEffect(() => map.value?.drawResults(found.value));
  useSignalEffect(() => {
    const failed = problem.value && pageState.peek().search;
    const shown = found.value ?? (failed && { search: failed, records: [] });
    const { search, view } = pageState.peek();
    if (!shown || view || !map.value) return undefined;
    const isByMap = search !== undefined && formatPageState({ search }) === chosenOnMap;
    const shownMap = map.value;
    return afterLayout(() =>
      shownMap.fit(shown, { isByMap, country: search?.country ? presentPlace.peek()?.bbox : undefined }),
    );
  });
  // neither a panel that opens beside the map nor a sheet that changes sides with the language must hide what was searched
  useSignalEffect(() => {
    isBesideOpen.value;
    language.value;
    const shown = found.peek();
    if (!shown || pageState.peek().view || !map.value) return undefined;
    const shownMap = map.value;
    return afterLayout(() => shownMap.fit(shown, { isWhole: true }));
  });
  useSignalEffect(() =>
    map.value?.mark(
      "hovered",
      found.value?.records.find(({ id }) => id === hovered.value),
    ),
  );
  useSignalEffect(() => {
    map.value?.mark("selected", selected.value);
    if (selected.value) map.value?.bringIntoView(selected.value);
  });
  useSignalEffect(() => {
    if (zoomWish.value) map.value?.zoomTo(zoomWish.value.record);
  });
  useSignalEffect(() => {
    if (dataset.value) map.value?.refresh();
  });

  const isLost = useRef(false);
  useSignalEffect(() => {
    const state = networkState.value;
    if (state === "off" || state === "silent") isLost.current = true;
    if (state !== "online" || !isLost.current) return;
    isLost.current = false;
    // tiles that nobody answered are not asked for again by themselves
    map.value?.refresh();
  });
  const stopDrawing = () => {
    drawing.value?.stop();
    drawing.value = undefined;
  };
  const draw = async (kind: DrawnAreaKind) => {
    const isSame = drawing.value?.kind === kind;
    stopDrawing();
    const stop = isSame
      ? undefined
      : await map.value?.draw(kind, (area) => {
          drawing.value = undefined;
          searchElsewhere({ area });
        });
    if (stop) drawing.value = { kind, stop };
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is for whatever has the focus inside
    <div onKeyDown={({ key }) => key === "Escape" && stopDrawing()}>
      <section class="map" aria-label={text("map.name")} ref={container} />
      {map.value && (
        <MapTools
          drawing={drawing.value?.kind}
          onDraw={(kind) => void draw(kind)}
          onArea={canSearchHere() ? () => map.value && searchElsewhere(map.value.freeCircle()) : undefined}
          onCentre={() => map.value && searchElsewhere({ centre: map.value.middle() })}
          onCentrePointer={(isHere) =>
            foresee(isHere && map.value ? elsewhere({ centre: map.value.middle() }) : undefined)
          }
        />
      )}
      <Attribution />
    </div>
  );
}

/** What the map shows first. */
function firstLook() {
  const { search, view } = pageState.peek();
  return { search, view, path: draft.peek().path, box: mapSettings.box ?? startBox(dataset.peek()) };
}

function mapLook(): MapLook {
  return { isDark: isDark.value, isMuted: ground.value === "muted", language: language.value };
}

/** Whether there is a search, and the reader has moved the map since. */
function canSearchHere(): boolean {
  const { search, view, record } = pageState.value;
  return search !== undefined && view !== undefined && record === undefined;
}

/** The same search in another place; a country chosen before would hide what is there. */
function elsewhere(place: Partial<Pick<Search, "centre" | "radiusMeters" | "area">>): Search {
  return changed(draft.peek(), { ...place, country: undefined });
}

/** The address of the search whose place was chosen on the map last. */
let chosenOnMap = "";

function searchElsewhere(place: Parameters<typeof elsewhere>[0]): void {
  changeSearch({ ...place, country: undefined });
  const { search } = pageState.peek();
  if (search) chosenOnMap = formatPageState({ search });
}

/** Fits the map when sheet and panels are where they will be, unless another box is asked for by then. Returns how to leave it. */
function afterLayout(act: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => isElsewhere.peek() || act());
  });
  return () => cancelAnimationFrame(frame);
}
