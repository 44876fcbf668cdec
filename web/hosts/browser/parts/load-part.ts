/** Loads parts of the program that are not needed at first. @module */

/** Pause before the second try: most connections that break off work again after a moment. */
const PAUSE_MS = 1000;

/** Name of the error. An error that comes from a worker has only its name, because classes do not cross. */
const PART_ERROR = "PartError";

/** A part of the program could not be loaded. A later call may load it. */
class PartError extends Error {
  override readonly name = PART_ERROR;
  readonly isUnanswered = true;
}

/** Returns whether a part of the program could not be loaded, here or in a worker. */
export function isPartError(error: unknown): boolean {
  return error instanceof Error && error.name === PART_ERROR;
}

/** URLs of scripts and styles for which the host answered with an error. */
const refused = new Set<string>();

// not in Node, where there is no bundle
if ("document" in globalThis || "WorkerGlobalScope" in globalThis) {
  new PerformanceObserver((list) => {
    for (const { name, responseStatus } of list.getEntries() as PerformanceResourceTiming[]) {
      if (responseStatus >= 400 && /\.(js|mjs|css|json)$/.test(new URL(name).pathname)) refused.add(name);
    }
  }).observe({ type: "resource", buffered: true });
}

/**
 * Fetches refused files again past the browser's cache: a host may send an error with the headers of a file that never changes.
 */
async function renewRefused(): Promise<void> {
  const urls = [...refused];
  refused.clear();
  await Promise.allSettled(urls.map((url) => fetch(url, { cache: "reload" })));
}

/**
 * Loads a part with `import()`, and tries once more after `pauseMs`. Every `import()` of the page, its workers and the element
 * must use this function. Rejects with `PartError`, which the caller must show with an offer to try again.
 */
export async function loadPart<T>(load: () => Promise<T>, pauseMs: number = PAUSE_MS): Promise<T> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    await renewRefused();
  }
  try {
    return await load();
  } catch (cause) {
    throw new PartError("a part of the program could not be loaded: check the connection, then try again", { cause });
  }
}
