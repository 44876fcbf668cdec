/** The name of the current location. @module */
import { computed } from "@preact/signals";
import { type ChosenLocation, chosenLocation, isSameLocation } from "./chosen-location.ts";
import { draft, pageState } from "./session.ts";

/**
 * The chosen location if the search is there, otherwise the name in the URL with the location of the search; undefined without
 * both.
 */
export const presentLocation = computed<ChosenLocation | undefined>(() => {
  const location = chosenLocation.value;
  const { around } = pageState.value;
  const { centre, country } = draft.value;
  if (location && isSameLocation(location, { centre, country })) return location;
  return around === undefined ? undefined : { name: around, isReader: false, centre, country, bbox: undefined };
});
