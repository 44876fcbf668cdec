/** Texts in this browser's storage, which may be blocked or full. Nothing is thrown then, and texts are not stored. @module */

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
