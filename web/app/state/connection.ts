/** Watches whether the host of the dataset can be reached, and reacts when it is lost or back. @module */
import { computed, effect } from "@preact/signals";
import { hostStatus, openDataset, remote, savesData } from "../worker/index.ts";
import { createNetwork } from "./network.ts";
import { chooseLanguage, lostLanguage } from "./preferences.ts";
import { dataset, found, problem, retry, showDataset } from "./session.ts";

/** Time since the last look at the manifest after which a page that becomes visible looks for a new release. */
const LOOK_AFTER_MS = 5 * 60 * 1000;
/** Time since the last look at the manifest after which a click checks the host. */
const LOOK_IN_USE_MS = 60 * 1000;
/** How often an unanswered search is repeated. If it still fails, the network is not the cause. */
const MOST_REPEATS = 5;

let lookedAtMs = performance.now();

const network = createNetwork({
  ask: look,
  isOff: () => !navigator.onLine,
  isHidden: () => document.hidden,
  savesData,
});

export const networkState = network.state;
export const isOnline = computed(() => networkState.value === "online");
/** Checks whether the host answers, because the last result may be old. */
export const askHost = network.ask;

/** Follows the browser and all requests. When the host answers again, repeats a search that was not answered. */
export function startConnection(): void {
  for (const event of ["online", "offline"]) addEventListener(event, () => network.noteBrowser());
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    if (dataset.peek() && performance.now() - lookedAtMs > LOOK_AFTER_MS) network.ask();
    else network.askIfUnclear();
  });
  // active use checks the host; an untouched page sends no requests
  addEventListener("pointerdown", () => {
    if (!savesData() && dataset.peek() && performance.now() - lookedAtMs > LOOK_IN_USE_MS) network.ask();
  });

  let repeats = 0;
  effect(() => {
    if (found.value) repeats = 0;
  });
  effect(() => {
    if (hostStatus.value) network.note(hostStatus.value.answer);
  });
  // also if other requests were answered
  effect(() => {
    if (problem.value?.isUnanswered) network.note("silent");
  });
  effect(() => {
    const lost = lostLanguage.peek();
    if (isOnline.value && lost) void chooseLanguage(lost);
  });
  effect(() => {
    if (!isOnline.value || !problem.peek()?.isUnanswered || repeats === MOST_REPEATS) return;
    repeats += 1;
    retry();
  });
}

/** Reads the manifest. A new release is used for later searches. */
async function look(): Promise<void> {
  lookedAtMs = performance.now();
  if (!dataset.peek()) return void (await openDataset());
  const latest = await remote("refresh", undefined);
  if (latest.sha256 !== dataset.peek()?.sha256) showDataset(latest);
}
