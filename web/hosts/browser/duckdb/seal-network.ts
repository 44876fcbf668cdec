/** Takes a worker's ways to the network away, for good: a second wall behind the database's own. @module */
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

export function sealNetwork(scope: object): void {
  for (const name of WAYS_OUT) {
    // the names stand on the prototype, where they cannot be deleted everywhere
    Object.defineProperty(scope, name, { value: undefined, writable: false, configurable: false });
  }
}
