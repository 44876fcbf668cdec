import { orderKey } from "../rows/index.ts";
import type { PlannedLeaf } from "./plan-partitions.ts";

/** The least order key of the leaf's rows. */
export function leafKey({ country, sizeClass, first }: PlannedLeaf): bigint {
  return orderKey(country, sizeClass, first);
}
