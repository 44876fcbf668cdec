/** The kinds of records in the dataset. @module */
import { computed } from "@preact/signals";
import { isOwnName } from "../../../data/format/own-collections.ts";
import { PATHS, pathsIn } from "../address/index.ts";
import { isShop } from "../settings/map-settings.ts";
import { dataset } from "./session.ts";

/**
 * Search paths for which the dataset has rows; before the manifest is loaded, all fixed ones. On a map of shops, only collections
 * with their own schema.
 */
export const presentPaths = computed(() => {
  if (!dataset.value) return isShop ? [] : PATHS;
  const paths = pathsIn(dataset.value);
  return isShop ? paths.filter(isOwnName) : paths;
});
