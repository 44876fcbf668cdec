import { useSignal, useSignalEffect } from "@preact/signals";
import { areDotsShown, dataset, shownBox } from "../state/index.ts";
import { text } from "../text/index.ts";
import { remote } from "../worker/index.ts";

/** Wait after a move of the map, so that only a resting map asks. */
const REST_MS = 300;

/**
 * Says so if the dataset has no records in the visible box. At low zooms nothing is said, because dots show where it has some.
 */
export function NoData() {
  const isEmpty = useSignal(false);
  useSignalEffect(() => {
    const box = shownBox.value;
    if (!box || !dataset.value || areDotsShown.value) {
      isEmpty.value = false;
      return undefined;
    }
    const asked = new AbortController();
    const timer = setTimeout(() => {
      remote("isCovered", box, asked.signal).then(
        (isCovered) => {
          isEmpty.value = isCovered === false;
        },
        () => {},
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  });
  return (
    <p class="map-empty" role="status" hidden={!isEmpty.value}>
      {isEmpty.value && text("map.noData")}
    </p>
  );
}
