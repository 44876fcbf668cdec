import type { BBox } from "../../../data/format/bbox.ts";
import { showBox } from "../state/index.ts";
import { text } from "../text/index.ts";

/** Moves the map to the box. */
export function ZoomButton({ bbox }: { readonly bbox: BBox }) {
  return (
    <button type="button" onClick={() => showBox(bbox)}>
      {text("detail.zoom")}
    </button>
  );
}
