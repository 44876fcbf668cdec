/**
 * Takes up a new release of the dataset between searches.
 * @module
 */
import { remote } from "../state/engine.ts";
import { dataset } from "../state/session.ts";

/** Releases come by the month; a page that stays open for days should notice. */
const LOOK_AFTER_MS = 5 * 60 * 1000;

/** Looks for a new release when the reader comes back to the page, and when the network does. */
export function followReleases(): void {
  let lookedAtMs = performance.now();
  const look = async () => {
    if (!dataset.peek() || document.visibilityState !== "visible") return;
    lookedAtMs = performance.now();
    const latest = await remote("refresh", undefined);
    if (latest.release !== dataset.peek()?.release) dataset.value = latest;
  };
  // Without a network the present release stays: there is nothing to say.
  addEventListener("online", () => void look().catch(() => {}));
  document.addEventListener("visibilitychange", () => {
    if (performance.now() - lookedAtMs > LOOK_AFTER_MS) void look().catch(() => {});
  });
}
