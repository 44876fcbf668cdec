import { type BBox, boxRing, splitAtAntimeridian } from "../../../data/format/bbox.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import type { Dataset } from "../../../web/engine/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { labelOfBox } from "../../overture/area/index.ts";

interface Wanted {
  readonly location: string;
  readonly collections: readonly CollectionName[];
  readonly bbox: BBox;
}

/** Throws if no row of the collections is in the box. `location` is the dataset's folder or URL, for the message. */
export async function requireRowsIn(dataset: Dataset, { location, collections, bbox }: Wanted): Promise<void> {
  const coordinates = splitAtAntimeridian(bbox).map((part) => [boxRing(part)]);
  const area = { type: "MultiPolygon" as const, coordinates };
  const { total } = await dataset.search({ collections, area, offset: 0, limit: 1 });
  if (total === 0) throw new CodedError("CAIRN_E_EMPTY", `${location}: no row in ${labelOfBox(bbox)}`);
}
