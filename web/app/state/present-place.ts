/** The name of the current location. @module */
import { computed } from "@preact/signals";
import { type ChosenPlace, chosenPlace, isSamePlace } from "./chosen-place.ts";
import { draft, pageState } from "./session.ts";

/** The chosen location while the search uses it, otherwise the name in the URL. */
export const presentPlace = computed<ChosenPlace | undefined>(() => {
  const place = chosenPlace.value;
  const { around } = pageState.value;
  const { centre, country } = draft.value;
  if (place && isSamePlace(place, { centre, country })) return place;
  return around === undefined ? undefined : { name: around, isReader: false, centre, country, bbox: undefined };
});
