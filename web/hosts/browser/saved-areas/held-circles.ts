import type { HeldCircle } from "../../../engine/index.ts";
import type { AreaStore } from "../storage/index.ts";
import { enclosingCircle } from "./enclosing-circle.ts";

/** Circles of which saved areas hold all rows; of a whole country names are held instead. */
export async function heldCircles(store: Pick<AreaStore, "areas">): Promise<readonly HeldCircle[]> {
  const saved = (await store.areas()).filter((area) => area.saved !== undefined);
  return saved.flatMap(({ selection: { shape, collections } }) => {
    if (shape.kind === "country") return [];
    return [{ circle: shape.kind === "circle" ? shape : enclosingCircle(shape.bbox), collections }];
  });
}
