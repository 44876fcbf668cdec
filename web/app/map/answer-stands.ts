import { isSearching } from "../state/index.ts";

/** Resolves when no search is under way and its answer is drawn: the map must not delay it. Waits no longer than it is told to. */
export async function answerStands(mostMs?: number): Promise<void> {
  if (!isSearching.peek()) return;
  await new Promise<void>((resolve) => {
    if (mostMs) setTimeout(resolve, mostMs);
    const stop = isSearching.subscribe((isUnderWay) => {
      if (isUnderWay) return;
      resolve();
      queueMicrotask(() => stop());
    });
  });
  // A hidden page draws no frame.
  if (!document.hidden) await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => setTimeout(resolve));
}
