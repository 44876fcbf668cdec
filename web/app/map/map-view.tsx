import { type Signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { FunctionComponent, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { BBox } from "../../../data/format/bbox.ts";
import { isPartError, loadPart } from "../../hosts/browser/parts/index.ts";
import { palette } from "../../map/palette.ts";
import { isTurned, type Search, type View } from "../address/index.ts";
import {
  baseMap,
  colourBy,
  dataset,
  found,
  isDark,
  isShop,
  mapSettings,
  networkState,
  pageState,
  prefetch,
  viewWish,
} from "../state/index.ts";
import { text } from "../text/index.ts";
import { LostPart } from "../widgets/index.ts";
import { effectAfterPaint } from "./after-paint.ts";
import { answerStands } from "./answer-stands.ts";
import { Attribution } from "./attribution.tsx";
import type { DrawnAreaKind } from "./draw-area.ts";
import { INHABITED, removeFirstLand, showFirstLand } from "./first-land.ts";
import type { MapHandle } from "./map-handle.ts";
import { elsewhere, firstLook, searchAt } from "./map-search.ts";
import { MapTools } from "./map-tools.tsx";
import { NoData } from "./no-data.tsx";
import { fitPadding } from "./padding.ts";

type Colouring = typeof import("./colour-by.tsx");

/** Time after which the map starts although a search is still running. */
const PATIENCE_MS = 2000;

/** The map, which shows search and results, and lets the user choose the location of the next search. */
export function MapView({ onUnavailable }: { onUnavailable: () => void }) {
  const container = useRef<HTMLDivElement>(null);
  const lost = useSignal<LostMapPart | undefined>(undefined);
  const tries = useSignal(0);
  /** What the map shows while it has not drawn land; `done` afterwards. */
  const first = useSignal<View | "done" | undefined>(undefined);
  useFirstLand(container, first);
  const map = useCreated(container, { first, lost, tries, onUnavailable });

  const makeAgain = () => {
    lost.value = undefined;
    tries.value += 1;
  };

  const lose = (part: LostMapPart) => {
    lost.value = part;
  };
  const { colouring, colours, column, loadColours } = useColours(map, lose);
  const { draw, cancelDrawing, drawing } = useDrawing(map, lose);
  const { showSolids, legend } = useSolids(map, lose);

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

/** Code that could not be loaded: of the map, its tiles, solid buildings, colours, or of drawing areas of a kind. */
type LostMapPart = "map" | "tiles" | "solids" | "colours" | DrawnAreaKind;

function LostMap({ part, onRetry }: { part: LostMapPart; onRetry: () => void }) {
  return (
    <div class="map-lost">
      <LostPart {...(part === "map" ? { title: text("map.notLoaded") } : {})} onRetry={onRetry} />
    </div>
  );
}

/** Shows the outline of land while the map has not drawn its own, where the map is or will be. */
function useFirstLand(container: RefObject<HTMLElement | null>, first: Signal<View | "done" | undefined>) {
  useSignalEffect(() => {
    const element = container.current;
    const shown = first.value;
    if (shown === "done") removeFirstLand();
    else if (element) {
      // once the dataset is open, its box is known
      dataset.value;
      const { clientWidth: width, clientHeight: height } = element;
      const size = { width, height, padding: fitPadding(element) };
      showFirstLand(shown ?? firstSight(), size, palette(isDark.value, baseMap.value === "muted"));
    }
  });
}

/** Returns what the outline shows before the map exists; undefined for a search, whose circle is too close for an outline. */
function firstSight(): View | BBox | undefined {
  const { search, view, box } = firstLook();
  return view ?? (search ? undefined : (mapSettings.view ?? box ?? INHABITED));
}

function canSearchHere(): boolean {
  const { search, view, record } = pageState.value;
  return search !== undefined && view !== undefined && record === undefined;
}

/** The map; undefined until it is loaded. */
type MapSignal = Signal<MapHandle | undefined>;
type OnLost = (part: LostMapPart) => void;

/** Lets the user draw an area, and searches in the area. */
function useDrawing(map: MapSignal, onLost: OnLost) {
  const drawing = useSignal<{ readonly kind: DrawnAreaKind; readonly stop: () => void } | undefined>(undefined);
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
      onLost(kind);
    }
  };
  return { draw, cancelDrawing, drawing };
}

/** Shows buildings as solids on request, and if the view in the URL is tilted or turned. */
function useSolids(map: MapSignal, onLost: OnLost) {
  /** The legend of solids; undefined while buildings are flat. */
  const legend = useSignal<{ readonly Legend: FunctionComponent<{ readonly isDark: boolean }> } | undefined>(undefined);
  const showSolids = async () => {
    try {
      const { HeightLegend, SOLID_LAYER, drawSolids } = await loadPart(() => import("./buildings-3d.tsx"));
      const isOn = legend.value === undefined;
      legend.value = isOn ? { Legend: HeightLegend } : undefined;
      map.value?.showSolids(isOn ? drawSolids : undefined, SOLID_LAYER);
    } catch {
      onLost("solids");
    }
  };
  useEffect(
    () =>
      effectAfterPaint(() => {
        if (!viewWish.value || !map.value) return;
        map.value.showView(viewWish.value);
        if (isTurned(viewWish.value) !== (legend.peek() !== undefined)) void showSolids();
      }),
    [],
  );
  useSignalEffect(() => {
    const { view } = firstLook();
    if (map.value && view && isTurned(view) && !legend.peek()) void showSolids();
  });
  return { showSolids, legend };
}

/** Loads the code that colours records by a column, once there are two or more records. */
function useColours(map: MapSignal, onLost: OnLost) {
  const colouring = useSignal<Colouring | undefined>(undefined);
  const loadColours = async () => {
    try {
      colouring.value = await loadPart(() => import("./colour-by.tsx"));
    } catch {
      onLost("colours");
    }
  };
  useSignalEffect(() => {
    if (!map.value || isShop || colouring.peek() || !found.value || found.value.records.length < 2) return;
    void loadColours();
  });
  // The state of the page changes with each move of the map, the column does not.
  const column = useComputed(() => pageState.value.colourBy);
  const colours = useComputed(() => colouring.value?.coloursOf(found.value?.records ?? [], column.value, isDark.value));
  useEffect(() => effectAfterPaint(() => map.value?.colourRecords(colours.value)), []);
  return { colouring, colours, column, loadColours };
}

interface CreatedOptions {
  readonly first: Signal<View | "done" | undefined>;
  readonly lost: Signal<LostMapPart | undefined>;
  readonly tries: Signal<number>;
  readonly onUnavailable: () => void;
}

/** Creates the map in the element, and again when `tries` changes. */
function useCreated(
  container: RefObject<HTMLDivElement | null>,
  { first, lost, tries, onUnavailable }: CreatedOptions,
) {
  const map: MapSignal = useSignal(undefined);
  useEffect(() => {
    const element = container.current;
    const events = {
      onFirstLand(view: View | undefined) {
        first.value = view ?? "done";
      },
      onTilesLost() {
        lost.value ??= "tiles";
      },
    };
    let made: MapHandle | undefined;
    let isLeft = false;
    const make = async () => {
      // MapLibre is most of the page's size, and takes as long to start as a search
      await answerStands(PATIENCE_MS);
      const { createMap } = await loadPart(() => import("./create-map.ts"));
      if (isLeft || !element) return;
      made = createMap(element, events);
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
  }, [container, map, lost, first, tries.value, onUnavailable]);
  return map;
}
