import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Centre, DEFAULT_RADIUS_METERS, PAGE_SIZES } from "../state/search.ts";
import { dataset, found, hovered, pageState, rememberView, search, select, selected } from "../state/session.ts";
import { language } from "../text/text.ts";
import { Attribution } from "./attribution.tsx";
import type { MapHandle } from "./create-map.ts";

/** The map: shows what was searched and found, and sets the centre of the next search. */
export function MapView({ onUnavailable }: { onUnavailable: () => void }) {
  const container = useRef<HTMLDivElement>(null);
  const map = useSignal<MapHandle | undefined>(undefined);

  useEffect(() => {
    const element = container.current;
    const onHover = (id: string | undefined) => {
      hovered.value = id;
    };
    const events = { onCentre: searchAround, onSelect: select, onHover, onView: rememberView };
    // MapLibre is most of the page's weight: the engine starts while it is on its way.
    const making = import("./create-map.ts").then(
      ({ createMap }) => element && createMap(element, { ...pageState.peek(), language: language.peek() }, events),
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

  useSignalEffect(() => map.value?.drawArea(pageState.value.search));
  useSignalEffect(() => {
    map.value?.drawResults(found.value);
    if (found.value && !pageState.peek().view) map.value?.fit(found.value);
  });
  useSignalEffect(() => map.value?.light("hovered", hovered.value));
  useSignalEffect(() => {
    map.value?.light("selected", pageState.value.record);
    if (selected.value) map.value?.bringIntoView(selected.value);
  });
  useSignalEffect(() => {
    if (dataset.value) map.value?.refresh();
  });
  useSignalEffect(() => map.value?.speak(language.value));

  return (
    <>
      <section class="map" aria-label="Map" ref={container} />
      <Attribution />
    </>
  );
}

/** The same search around another point; a country chosen before would hide what is there. */
function searchAround(centre: Centre): void {
  const {
    path = "places",
    radiusMeters = DEFAULT_RADIUS_METERS,
    limit = PAGE_SIZES[0],
  } = pageState.peek().search ?? {};
  search({ path, centre, radiusMeters, country: undefined, page: 0, limit });
}
