/** Whether the dataset's host can be reached, and what happens when it is lost and when it is back. @module */
import { computed, effect } from "@preact/signals";
import { hostNews, openDataset, remote, savesData } from "../worker/index.ts";
import { createNetwork } from "./network.ts";
import { dataset, found, problem, retry } from "./session.ts";

/** Releases come by the month; a page that stays open for days should notice. */
const LOOK_AFTER_MS = 5 * 60 * 1000;
/** A host that went away is noticed by then. */
const LOOK_IN_USE_MS = 60 * 1000;
/** A search that still fails then has another fault than the network. */
const MOST_REPEATS = 5;

let lookedAtMs = performance.now();

const network = createNetwork({
  ask: look,
  isOff: () => !navigator.onLine,
  isHidden: () => document.hidden,
  savesData,
});

export const networkState = network.state;
/** Whether the host answered when it was asked last. */
export const isOnline = computed(() => networkState.value === "online");
/** Has the host asked: what it last came to may be long ago. */
export const askHost = network.ask;

/** Follows browser and requests. Once the host answers again, searches that nobody answered are made again. */
export function startConnection(): void {
  for (const event of ["online", "offline"]) addEventListener(event, () => network.noteBrowser());
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    if (dataset.peek() && performance.now() - lookedAtMs > LOOK_AFTER_MS) network.ask();
    else network.askInDoubt();
  });
  // who uses the page sees whether the host is there; a page that nobody touches asks nothing
  addEventListener("pointerdown", () => {
    if (!savesData() && dataset.peek() && performance.now() - lookedAtMs > LOOK_IN_USE_MS) network.ask();
  });

  let repeats = 0;
  effect(() => {
    if (found.value) repeats = 0;
  });
  effect(() => {
    if (hostNews.value) network.note(hostNews.value.answer);
  });
  // even if other requests were answered
  effect(() => {
    if (problem.value?.isUnanswered) network.note("silent");
  });
  effect(() => {
    if (!isOnline.value || !problem.peek()?.isUnanswered || repeats === MOST_REPEATS) return;
    repeats += 1;
    retry();
  });
}

/** Asks the host for its manifest, and takes up a new release: searches from now on use it. */
async function look(): Promise<void> {
  lookedAtMs = performance.now();
  if (!dataset.peek()) return void (await openDataset());
  const latest = await remote("refresh", undefined);
  if (latest.release !== dataset.peek()?.release) dataset.value = latest;
}
