/** The kinds of records in the dataset. @module */
import { computed } from "@preact/signals";
import { isOwnName } from "../../../data/format/own-collections.ts";
import { PATHS, pathsIn } from "../address/index.ts";
import { isShop } from "./map-settings.ts";
import { dataset } from "./session.ts";

/** Paths that have rows; all paths until the manifest is loaded. */
export const presentPaths = computed(() => {
  if (!dataset.value) return isShop ? [] : PATHS;
  const paths = pathsIn(dataset.value);
  return isShop ? paths.filter(isOwnName) : paths;
});
