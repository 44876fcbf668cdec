import { isSearching } from "../state/index.ts";

/**
 * Resolves when no search is running and the browser has drawn its answer, so that the map does not delay it. Waits for the
 * search at most `mostMs`, without it however long it takes.
 */
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
