/** Parts of the program that are not needed at first. @module */

/** Most connections that break off for a moment work again after it. */
const PAUSE_MS = 1000;

/** An error that comes from a worker has its name only: classes do not cross. */
const PART_ERROR = "PartError";

/** A part could not be loaded. Another call may load it. */
class PartError extends Error {
  override readonly name = PART_ERROR;
  readonly isUnanswered = true;
}

/** Returns whether a part of the program could not be loaded, here or in a worker. */
export function isPartError(error: unknown): boolean {
  return error instanceof Error && error.name === PART_ERROR;
}

/** Scripts and styles that the host answered with an error. */
const refused = new Set<string>();

// not in Node, where there is no bundle
if ("document" in globalThis || "WorkerGlobalScope" in globalThis) {
  new PerformanceObserver((list) => {
    for (const { name, responseStatus } of list.getEntries() as PerformanceResourceTiming[]) {
      if (responseStatus >= 400 && /\.(js|mjs|css|json)$/.test(new URL(name).pathname)) refused.add(name);
    }
  }).observe({ type: "resource", buffered: true });
}

/** A host may send an error with the headers of a file that never changes. The browser then caches the error. */
async function renewRefused(): Promise<void> {
  const urls = [...refused];
  refused.clear();
  await Promise.allSettled(urls.map((url) => fetch(url, { cache: "reload" })));
}

/**
 * Loads a part with `import()`, and tries once more by itself. Every `import()` of the page, of its workers and of the element goes
 * through this function. Throws `PartError`: the caller shows it and offers another try.
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
