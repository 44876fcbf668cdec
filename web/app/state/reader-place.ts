/** Places that the reader has pointed at. @module */
import { signal } from "@preact/signals";
import type { Centre } from "../address/index.ts";

/** Where they were when they asked for it last. */
export const readerPlace = signal<Centre | undefined>(undefined);

/** Where they have clicked on the map last, to search there. */
export const clickedAt = signal<Centre | undefined>(undefined);
