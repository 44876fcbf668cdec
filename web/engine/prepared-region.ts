import type { Query } from "./contract/query.ts";
import { type Region, regionOf } from "./plan/region.ts";
import { inTurn, stepsInTurn } from "./tasks/in-turn.ts";

/** Returns the region with the index of its area, which it makes in turn with other work. */
export async function preparedRegionOf(
  query: Pick<Query, "circle" | "area">,
  signal?: AbortSignal,
): Promise<Region | undefined> {
  const region = await inTurn(() => regionOf(query));
  if (region) await stepsInTurn(region.prepare(), signal);
  return region;
}
