/**
 * What the reader asks the map to show from near.
 * @module
 */
import { signal } from "@preact/signals";
import type { Feature } from "../../engine/contract/query.ts";

/** The record to move to; each wish is an object of its own, so that the same record can be asked for twice. */
export const zoomWish = signal<{ readonly record: Feature } | undefined>(undefined);

export function zoomTo(record: Feature): void {
  zoomWish.value = { record };
}
