/**
 * The single DuckDB of the page, in a separate worker: an endless statement blocks no search, and ends with its
 * worker.
 * @module
 */
import type { ConsoleProgress, Remote } from "../../hosts/browser/protocol/index.ts";
import { callRemote } from "../../hosts/browser/protocol/index.ts";
import { engineParts, startWorker } from "./worker.ts";

export interface RunningDatabase {
  readonly call: Remote;
  /** Aborted when the worker is ended, because no answer will come. */
  readonly ended: AbortSignal;
}

/** Owns the worker that `startWorker` starts. `base` is the folder of the page. */
export function ownDatabase(startWorker: () => Worker, base: () => string) {
  let running: Promise<RunningDatabase> | undefined;
  let end = () => {};

  async function begin(): Promise<RunningDatabase> {
    const worker = startWorker();
    const ending = new AbortController();
    const own = { call: callRemote(worker, () => {}), ended: ending.signal };
    end = () => {
      ending.abort();
      worker.terminate();
      running = undefined;
      engineParts.database.value = undefined;
    };
    const report = (state: "loading" | "ready", { receivedBytes, totalBytes }: ConsoleProgress) => {
      engineParts.database.value = { part: "database", state, receivedBytes, totalBytes };
    };
    let last: ConsoleProgress = { receivedBytes: 0, totalBytes: 0 };
    try {
      await own.call("startConsole", base(), ending.signal, (progress) => {
        last = progress;
        report("loading", progress);
      });
    } catch (error) {
      if (!ending.signal.aborted) end();
      throw error;
    }
    report("ready", last);
    return own;
  }

  return {
    /** Returns the database, started on first use. Its progress is in `engineParts.database`. */
    start(): Promise<RunningDatabase> {
      const mine = running ?? begin();
      running = mine;
      // a browser may refuse the worker itself
      mine.catch(() => {
        if (running === mine) running = undefined;
      });
      return mine;
    },
    /** Ends it with all running statements and all tables; the next `start` starts another. */
    end: () => end(),
  };
}

export const database = ownDatabase(startWorker, () => new URL("./", document.baseURI).href);
