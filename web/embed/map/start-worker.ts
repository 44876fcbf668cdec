/** Starts the engine's worker. It is a separate script, because a page that waits for a click must not load it. @module */
import MapWorker from "../../hosts/browser/workers/map-worker.ts?worker&inline";

/** Starts the worker that answers the calls of `<cairn-map>`. */
export function startWorker(): Worker {
  return new MapWorker();
}
