import type { BBox } from "../../../data/format/bbox.ts";
import { guestWish } from "../state/index.ts";
import { text } from "../text/index.ts";

/** Has the map show the box. */
export function ZoomButton({ bbox }: { readonly bbox: BBox }) {
  return (
    <button
      type="button"
      onClick={() => {
        guestWish.value = { bbox };
      }}
    >
      {text("detail.zoom")}
    </button>
  );
}
