/**
 * The console's worker and what it gave. Kept when the panel is closed: the reader's own tables are in that worker.
 * @module
 */
import { batch, signal } from "@preact/signals";
import type { ConsoleResult, ConsoleTable } from "../../hosts/browser/protocol/index.ts";
import { consoleSql, showFound } from "../state/index.ts";
import { database, type RunningDatabase, remote } from "../worker/index.ts";
import { errorText } from "./error-text.ts";
import { overTables } from "./over-tables.ts";

/** Longer than any question to rows in memory takes. */
export const LONGEST_RUN_SECONDS = 60;

export type Activity = "idle" | "starting" | "filling" | "running";
export type Outcome =
  | { readonly kind: "result"; readonly result: ConsoleResult }
  | { readonly kind: "error"; readonly message: string }
  /** There was nothing to run, or what the page copies for a dataset's files and only they can answer. */
  | { readonly kind: "nothing" | "files" }
  | { readonly kind: "stopped"; readonly isTooLong: boolean };

export const sql = consoleSql;
export const activity = signal<Activity>("idle");
export const outcome = signal<Outcome | undefined>(undefined);
/** Undefined until they are known. */
export const tables = signal<readonly ConsoleTable[] | undefined>(undefined);

/** What each table was filled with. */
const stamps = new WeakMap<RunningDatabase, Map<string, string>>();

/** Set when what is under way was ended. */
let ended: "stopped" | "tooLong" | undefined;
let isPreparing = false;
let isRunWanted = false;

/** Starts the database and hands it the rows that are loaded by now. */
export function prepare(): Promise<void> {
  isPreparing = true;
  return during(async () => {
    await fill(await started());
  }).finally(() => {
    isPreparing = false;
    if (!isRunWanted) return;
    isRunWanted = false;
    void run();
  });
}

/** Runs the SQL over the rows that are loaded by now; when the console is being prepared, as soon as it is. */
export async function run(): Promise<void> {
  const statement = overTables(sql.peek());
  if (statement === undefined || statement.trim() === "") {
    outcome.value = { kind: statement === undefined ? "files" : "nothing" };
    return;
  }
  if (isPreparing) {
    isRunWanted = true;
    return;
  }
  await during(async () => {
    const console = await started();
    await fill(console);
    activity.value = "running";
    const bound = setTimeout(() => end("tooLong"), LONGEST_RUN_SECONDS * 1000);
    try {
      const result = await console.call("runConsole", statement, console.ended);
      outcome.value = { kind: "result", result };
      showFound(result.body);
      tables.value = await console.call("consoleTables", undefined, console.ended);
    } finally {
      clearTimeout(bound);
    }
  });
}

/** Ends what is running; tables that the reader made are lost. */
export function stop(): void {
  end("stopped");
}

/** Forgets all that was done in the console, and fills it anew. */
export async function beginAnew(): Promise<void> {
  end("stopped");
  batch(() => {
    outcome.value = undefined;
    showFound([]);
  });
  await prepare();
}

async function during(work: () => Promise<void>): Promise<void> {
  if (activity.peek() !== "idle") return;
  ended = undefined;
  try {
    await work();
  } catch (error) {
    const message = errorText(error instanceof Error ? error.message : String(error));
    outcome.value = ended ? { kind: "stopped", isTooLong: ended === "tooLong" } : { kind: "error", message };
    // Not a word of DuckDB's, but of what it stands on: it cannot go on.
    if (!ended && !/^[A-Z][\w -]* Error: |^column .* is an ENUM/.test(message)) end("stopped");
  } finally {
    activity.value = "idle";
  }
}

function end(why: "stopped" | "tooLong"): void {
  ended = why;
  database.end();
}

function started(): Promise<RunningDatabase> {
  activity.value = "starting";
  return database.start();
}

/** Tables whose rows are not those that are loaded now are made anew. */
async function fill(running: RunningDatabase): Promise<void> {
  const { call, ended: signal } = running;
  const filled = stamps.get(running) ?? new Map<string, string>();
  stamps.set(running, filled);
  activity.value = "filling";
  for (const { collection, stamp } of await remote("loadedRows", undefined, signal)) {
    if (filled.get(collection) === stamp) continue;
    const stream = await remote("loadedTable", collection, signal);
    await call("fillConsole", { name: collection, stream }, signal);
    filled.set(collection, stamp);
  }
  tables.value = await call("consoleTables", undefined, signal);
}
