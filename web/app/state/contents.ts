/** The kinds of records in the dataset. @module */
import { computed } from "@preact/signals";
import { PATHS, pathsIn } from "../address/index.ts";
import { dataset } from "./session.ts";

/** Paths that have rows; all paths until the manifest is loaded. */
export const presentPaths = computed(() => (dataset.value ? pathsIn(dataset.value) : PATHS));
