import type { CollectionName } from "../../../../data/format/collections.ts";
import type { AreaSelection, AreaShape } from "../../../engine/index.ts";
import type { AreaChoice } from "../protocol/index.ts";
import { enclosingCircle } from "./enclosing-circle.ts";
import { circleBox, groundOf } from "./ground.ts";

/** What is kept of a dataset for what a person chose. */
export function selectionOf({ shape, collections, hasNames, hasGround }: AreaChoice): AreaSelection {
  return {
    shape,
    collections,
    hasNames,
    around: [...searchedAround(shape, collections), ...(hasGround ? groundOf(shape) : [])],
  };
}

/** A search in a drawn area looks at the circle around it. */
function searchedAround(
  shape: AreaShape,
  collections: readonly CollectionName[],
): NonNullable<AreaSelection["around"]> {
  if (shape.kind !== "bbox") return [];
  const bbox = circleBox(enclosingCircle(shape.bbox));
  return collections.map((collection) => ({ collection, bbox }));
}
