import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { changed, EMPTY_SEARCH, type Search } from "../address/index.ts";
import { openFileRow } from "../files/index.ts";
import { overview } from "../saved-areas/index.ts";
import {
  dataset,
  foresee,
  found,
  guestShapes,
  guestWish,
  hovered,
  isDark,
  pageState,
  presentPlace,
  rememberView,
  search,
  select,
  selected,
  zoomWish,
} from "../state/index.ts";
import { language, text } from "../text/index.ts";
import { Attribution } from "./attribution.tsx";
import type { Circle } from "./circle-handles.ts";
import type { MapHandle } from "./create-map.ts";
import type { DrawnAreaKind } from "./draw-area.ts";
import { MapTools } from "./map-tools.tsx";
import { savedShapes } from "./saved-layers.ts";
import { isXrayOn, xrayShapes } from "./xray.ts";

/** The map: shows what was searched and found, and sets the place of the next search. */
export function MapView({ onUnavailable }: { onUnavailable: () => void }) {
  const container = useRef<HTMLDivElement>(null);
  const map = useSignal<MapHandle | undefined>(undefined);
  const drawing = useSignal<{ readonly kind: DrawnAreaKind; readonly stop: () => void } | undefined>(undefined);

  useEffect(() => {
    const element = container.current;
    const onHover = (id: string | undefined) => {
      hovered.value = id;
    };
    const events = {
      onCentre: (centre: Search["centre"]) => searchElsewhere({ centre }),
      onCircle: searchElsewhere,
      onCircleDrag: (circle: Circle) => foresee(elsewhere(circle)),
      onSelect: select,
      onHover,
      onFileRow: openFileRow,
      onView: rememberView,
    };
    const look = { isDark: isDark.peek(), language: language.peek() };
    // MapLibre is most of the page's weight: the engine starts while it is on its way.
    const making = import("./create-map.ts").then(
      ({ createMap }) => element && createMap(element, { ...pageState.peek(), ...look }, events),
    );
    making.then(
      (made) => {
        if (made) map.value = made;
        else onUnavailable();
      },
      () => onUnavailable(),
    );
    return () => void making.then((made) => made?.remove());
  }, [map, onUnavailable]);

  useSignalEffect(() => map.value?.restyle({ isDark: isDark.value, language: language.value }));
  useSignalEffect(() => map.value?.drawXray(xrayShapes(isXrayOn.value ? found.value?.report : undefined)));
  useSignalEffect(() => map.value?.drawSaved(savedShapes(overview.value)));
  useSignalEffect(() => map.value?.drawGuests("console", guestShapes.console.value));
  useSignalEffect(() => map.value?.drawGuests("files", guestShapes.files.value));
  useSignalEffect(() => {
    if (guestWish.value) map.value?.showBox(guestWish.value.bbox);
  });
  useSignalEffect(() => map.value?.drawSearch(pageState.value.search));
  useSignalEffect(() => {
    map.value?.drawResults(found.value);
    const country = found.value?.search.country && presentPlace.peek()?.bbox;
    if (found.value && !pageState.peek().view) map.value?.fit(found.value, country || undefined);
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

/** The same search in another place; a country chosen before would hide what is there. */
function elsewhere(place: Partial<Pick<Search, "centre" | "radiusMeters" | "area">>): Search {
  return changed(pageState.peek().search ?? EMPTY_SEARCH, { ...place, country: undefined });
}

function searchElsewhere(place: Parameters<typeof elsewhere>[0]): void {
  search(elsewhere(place));
}
