import { isSearching } from "../state/index.ts";

/** Resolves when no search is under way and its answer is drawn: the map must not delay it. */
export async function answerStands(): Promise<void> {
  if (!isSearching.peek()) return;
  await new Promise<void>((resolve) => {
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
