/**
 * The one DuckDB of the page. It has its own worker, so that an endless statement blocks no search, and can be ended with the
 * worker. @module
 */
import type { ConsoleProgress, Remote } from "../../hosts/browser/protocol/index.ts";
import { callRemote } from "../../hosts/browser/protocol/index.ts";
import { engineParts, startWorker } from "./worker.ts";

export interface RunningDatabase {
  readonly call: Remote;
  /** Aborted when the worker is ended. Calls have no answer then. */
  readonly ended: AbortSignal;
}

/**
 * Returns functions that start and end the database. `startWorker` starts its worker; `base` returns the URL of the page's
 * folder.
 */
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
    /** Returns the database; starts it if it does not run. The load progress is in `engineParts.database`. */
    start(): Promise<RunningDatabase> {
      const mine = running ?? begin();
      running = mine;
      // a browser may refuse the worker itself
      mine.catch(() => {
        if (running === mine) running = undefined;
      });
      return mine;
    },
    /** Ends the database, with running statements and all tables. The next `start` starts another. */
    end: () => end(),
  };
}

export const database = ownDatabase(startWorker, () => new URL("./", document.baseURI).href);
