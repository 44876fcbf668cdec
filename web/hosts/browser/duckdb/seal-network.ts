/** Removes network access from a worker for ever, in addition to the locked settings of its database. @module */
const WAYS_OUT = [
  "fetch",
  "XMLHttpRequest",
  "WebSocket",
  "EventSource",
  "WebTransport",
  "Worker",
  "caches",
  "indexedDB",
];

/** Makes the scope's network functions, `Worker`, `caches` and `indexedDB` undefined. This cannot be undone. */
export function sealNetwork(scope: object): void {
  for (const name of WAYS_OUT) {
    // the names are on the prototype, where not all browsers can delete them
    Object.defineProperty(scope, name, { value: undefined, writable: false, configurable: false });
  }
}
