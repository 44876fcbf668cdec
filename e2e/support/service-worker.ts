import type { Page } from "@playwright/test";

/** Waits until the service worker answers for the page. */
export async function serviceWorkerReady(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }),
    );
  });
}

/** A service worker as the browser reports it. */
export interface WatchedWorker {
  /** Its states since the start of the watch, such as `running` and `stopped`. */
  readonly states: readonly string[];
  /** Ends it at once, as a browser without memory does. Resolves when the browser reports that it has stopped. */
  kill(): Promise<void>;
}

/** Watches the page's only service worker, which must exist. */
export async function watchServiceWorker(page: Page): Promise<WatchedWorker> {
  const session = await page.context().newCDPSession(page);
  const states: string[] = [];
  let onState: (state: string) => void = () => {};
  const seen = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerVersionUpdated", ({ versions }) => {
      for (const { versionId, runningStatus } of versions) {
        states.push(runningStatus);
        onState(runningStatus);
        resolve(versionId);
      }
    });
  });
  await session.send("ServiceWorker.enable");
  const versionId = await seen;
  return {
    states,
    async kill() {
      const stopped = new Promise<void>((resolve) => {
        onState = (state) => state === "stopped" && resolve();
      });
      await session.send("ServiceWorker.stopWorker", { versionId });
      await stopped;
    },
  };
}
