/** Starts the engine's worker. It is a separate script, because a page that waits for a click must not load it. @module */
import MapWorker from "../../hosts/browser/workers/map-worker.ts?worker&inline";

export function startWorker(): Worker {
  return new MapWorker();
}
