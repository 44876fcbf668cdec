/** The engine's worker, in a script of its own: a page that waits for a click loads nothing of it. @module */
import MapWorker from "../../hosts/browser/workers/map-worker.ts?worker&inline";

/** Starts the worker in which the engine of `<cairn-map>` runs. */
export function startWorker(): Worker {
  return new MapWorker();
}
