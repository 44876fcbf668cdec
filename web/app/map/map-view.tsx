import { untracked, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { BBox } from "../../../data/format/bbox.ts";
import { isPartError, loadPart } from "../../hosts/browser/parts/index.ts";
import { type Centre, changed, formatPageState, isTurned, type Search, startBox, type View } from "../address/index.ts";
import { openFileRow } from "../files/index.ts";
import { overview } from "../saved-areas/index.ts";
import {
  baseMap,
  changeSearch,
  clickedAt,
  colourBy,
  dataset,
  draft,
  found,
  hovered,
  isDark,
  isElsewhere,
  isShop,
  isSidePanelOpen,
  mapSettings,
  networkState,
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
  viewWish,
  zoomWish,
} from "../state/index.ts";
import { language, text } from "../text/index.ts";
import { LostPart } from "../widgets/index.ts";
import { answerStands } from "./answer-stands.ts";
import { Attribution } from "./attribution.tsx";
import type { Circle } from "./circle-handles.ts";
import type { MapHandle, MapLook } from "./create-map.ts";
import type { DrawnAreaKind } from "./draw-area.ts";
import { FirstLand, INHABITED } from "./first-land.tsx";
import { MapTools } from "./map-tools.tsx";
import { followMatches, matches, openMatchAt } from "./matches.ts";
import { NoData } from "./no-data.tsx";
import { isXrayOn, xrayShapes } from "./xray.ts";

type Colouring = typeof import("./colour-by.tsx");

/** After this time the map starts although the search is still running. */
const PATIENCE_MS = 2000;

/** The map: shows search and results, and sets the location of the next search. */
export function MapView({ onUnavailable }: { onUnavailable: () => void }) {
  const container = useRef<HTMLDivElement>(null);
  const map = useSignal<MapHandle | undefined>(undefined);
  const lost = useSignal<LostMapPart | undefined>(undefined);
  const tries = useSignal(0);
  const isCentred = useRef(false);
  /** What the map shows before it has land of its own. */
  const first = useSignal<View | "done" | undefined>(undefined);
  const drawing = useSignal<{ readonly kind: DrawnAreaKind; readonly stop: () => void } | undefined>(undefined);

  /** Of solid buildings, while they are shown. */
  const legend = useSignal<{ readonly Legend: FunctionComponent<{ readonly isDark: boolean }> } | undefined>(undefined);

  const colouring = useSignal<Colouring | undefined>(undefined);

  useEffect(() => {
    const element = container.current;
    const onHover = (id: string | undefined) => {
      hovered.value = id;
    };
    const events = {
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
      onHover,
      onFileRow: openFileRow,
      onView: rememberView,
      onFirstLand: (view: View | undefined) => {
        first.value = view ?? "done";
      },
      onTilesLost() {
        lost.value ??= "tiles";
      },
      onBox: (bbox: BBox) => {
        shownBox.value = bbox;
      },
    };
    const look = untracked(mapLook);
    let made: MapHandle | undefined;
    let isLeft = false;
    const make = async () => {
      // MapLibre is most of the page's size, and takes as long to start as a search
      await answerStands(PATIENCE_MS);
      const { createMap } = await loadPart(() => import("./create-map.ts"));
      if (isLeft || !element) return;
      made = createMap(element, { ...firstLook(), ...look }, events);
      if (made) map.value = made;
      else onUnavailable();
    };
    make().catch((error: unknown) => {
      if (isLeft) return;
      if (isPartError(error)) lost.value = "map";
      else onUnavailable();
    });
    return () => {
      isLeft = true;
      map.value = undefined;
      made?.remove();
    };
  }, [map, lost, first, tries.value, onUnavailable]);
  const makeAgain = () => {
    lost.value = undefined;
    tries.value += 1;
  };

  useSignalEffect(() => map.value?.restyle(mapLook()));
  useSignalEffect(() => {
    if (!map.value || !dataset.value || isCentred.current) return;
    isCentred.current = true;
    const { box, search, view } = firstLook();
    if (box && !search && !view && !mapSettings.view) map.value.startAt(box);
  });
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
  useSignalEffect(() => {
    if (overlayTarget.value) map.value?.showBox(overlayTarget.value.bbox);
  });
  useSignalEffect(() => {
    const shown = found.peek();
    if (searchWish.value && shown) map.value?.fit(shown, { isWhole: true });
  });
  useSignalEffect(() => map.value?.drawSearch(pageState.value.search));
  useSignalEffect(() => map.value?.drawResults(found.value));
  useSignalEffect(() => map.value?.drawMatches(matches.value));
  useSignalEffect(() => {
    if (!map.value || isShop || colouring.peek() || !found.value || found.value.records.length < 2) return;
    void loadColours();
  });
  // The state of the page changes with each move of the map, the column does not.
  const column = useComputed(() => pageState.value.colourBy);
  const colours = useComputed(() => colouring.value?.coloursOf(found.value?.records ?? [], column.value, isDark.value));
  useSignalEffect(() => map.value?.colourRecords(colours.value));
  useSignalEffect(() => (map.value ? followMatches() : undefined));
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
    if (!viewWish.value || !map.value) return;
    map.value.showView(viewWish.value);
    if (isTurned(viewWish.value) !== (legend.peek() !== undefined)) void showSolids();
  });
  useSignalEffect(() => {
    const { view } = firstLook();
    if (map.value && view && isTurned(view) && !legend.peek()) void showSolids();
  });
  useSignalEffect(() => {
    if (zoomWish.value) map.value?.zoomTo(zoomWish.value.record);
  });
  useSignalEffect(() => {
    if (dataset.value) map.value?.refresh();
  });

  const fitted = useRef<Search | undefined>(undefined);
  const wasOut = useRef(false);
  useSignalEffect(() => {
    const state = networkState.value;
    if (state === "off" || state === "silent") wasOut.current = true;
    if (state !== "online" || !wasOut.current) return;
    wasOut.current = false;
    if (lost.peek() === "map") makeAgain();
    // failed tiles are not requested again automatically
    else map.peek()?.refresh();
  });
  const stopDrawing = () => {
    drawing.value?.stop();
    drawing.value = undefined;
  };
  const cancelDrawing = () => {
    // the map would be framed as long as it has the focus
    document.querySelector<HTMLElement>(".draw-button[aria-pressed='true']")?.focus();
    stopDrawing();
  };
  const draw = async (kind: DrawnAreaKind) => {
    const isSame = drawing.value?.kind === kind;
    stopDrawing();
    if (isSame) return;
    const onDone = (area: NonNullable<Search["area"]>) => {
      drawing.value = undefined;
      searchAt({ area });
    };
    try {
      const stop = await map.value?.draw(kind, onDone);
      if (stop) drawing.value = { kind, stop };
    } catch {
      lost.value = kind;
    }
  };

  const showSolids = async () => {
    try {
      const { HeightLegend, SOLID_LAYER, drawSolids } = await loadPart(() => import("./buildings-3d.tsx"));
      const isOn = legend.value === undefined;
      legend.value = isOn ? { Legend: HeightLegend } : undefined;
      map.value?.showSolids(isOn ? drawSolids : undefined, SOLID_LAYER);
    } catch {
      lost.value = "solids";
    }
  };

  const loadColours = async () => {
    try {
      colouring.value = await loadPart(() => import("./colour-by.tsx"));
    } catch {
      lost.value = "colours";
    }
  };

  const retry = () => {
    const part = lost.value;
    lost.value = undefined;
    if (part === "map") makeAgain();
    else if (part === "tiles") map.value?.refresh();
    else if (part === "solids") void showSolids();
    else if (part === "colours") void loadColours();
    else if (part) void draw(part);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is for any element inside that has the focus
    <div onKeyDown={({ key }) => key === "Escape" && cancelDrawing()}>
      {first.value !== "done" && <FirstLand container={container} shown={first.value} start={firstSight} />}
      <section class="map" aria-label={text("map.name")} ref={container} />
      {map.value && !isShop && (
        <MapTools
          drawing={drawing.value?.kind}
          onDraw={(kind) => void draw(kind)}
          onArea={canSearchHere() ? () => map.value && searchAt(map.value.freeCircle()) : undefined}
          isSolid={legend.value !== undefined}
          onSolid={() => void showSolids()}
          legend={legend.value && <legend.value.Legend isDark={isDark.value} />}
          colours={
            colouring.value &&
            found.value && (
              <colouring.value.ColourBy
                path={found.value.search.path}
                records={found.value.records}
                column={column.value}
                colours={colours.value}
                onChange={colourBy}
              />
            )
          }
          onCentre={() => map.value && searchAt({ centre: map.value.middle() })}
          onCentrePointer={(isHere) =>
            prefetch(isHere && map.value ? elsewhere({ centre: map.value.middle() }) : undefined)
          }
        />
      )}
      {map.value && !isShop && <NoData />}
      {lost.value && <LostMap part={lost.value} onRetry={retry} />}
      <Attribution />
    </div>
  );
}

/** A part that could not be loaded: the map, its tiles, solid buildings, colours, or the code that draws an area of the kind. */
type LostMapPart = "map" | "tiles" | "solids" | "colours" | DrawnAreaKind;

function LostMap({ part, onRetry }: { part: LostMapPart; onRetry: () => void }) {
  return (
    <div class="map-lost">
      <LostPart {...(part === "map" ? { title: text("map.notLoaded") } : {})} onRetry={onRetry} />
    </div>
  );
}

function firstLook() {
  const { search, view } = pageState.peek();
  return { search, view, path: draft.peek().path, box: mapSettings.box ?? startBox(dataset.peek()) };
}

/** The first view of a page without a circle, which is close. */
function firstSight(): View | BBox | undefined {
  const { search, view, box } = firstLook();
  return view ?? (search ? undefined : (mapSettings.view ?? box ?? INHABITED));
}

function mapLook(): MapLook {
  return { isDark: isDark.value, isMuted: baseMap.value === "muted", language: language.value };
}

function canSearchHere(): boolean {
  const { search, view, record } = pageState.value;
  return search !== undefined && view !== undefined && record === undefined;
}

/** The same search in another location, without the country, which could exclude its results. */
function elsewhere(location: Partial<Pick<Search, "centre" | "radiusMeters" | "area">>): Search {
  return changed(draft.peek(), { ...location, country: undefined });
}

/** The URL of the search whose location was last chosen on the map. */
let chosenOnMap = "";

function searchAt(location: Parameters<typeof elsewhere>[0]): void {
  changeSearch({ ...location, country: undefined });
  const { search } = pageState.peek();
  if (search) chosenOnMap = formatPageState({ search });
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
