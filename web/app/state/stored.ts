/** Values in this browser's storage. It may be blocked or full: then they last until the page is closed. @module */

/** Returns the value; undefined if there is none. */
export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores the value. */
export function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // see above
  }
}
