import { signal } from "@preact/signals";
import type { BBox } from "../../../data/format/bbox.ts";

/** What the map shows; undefined until there is one. `west > east` crosses the antimeridian. */
export const shownBox = signal<BBox | undefined>(undefined);
