/** The console's worker and its results. Kept when the panel is closed: the reader's own tables are in that worker. @module */

import { batch, signal } from "@preact/signals";
import type { ConsoleResult, ConsoleTable } from "../../hosts/browser/protocol/index.ts";
import { foundSql } from "../copy/index.ts";
import { ownFiles } from "../files/index.ts";
import { consoleSql, dataset, found, showFound } from "../state/index.ts";
import { database, type RunningDatabase, remote } from "../worker/index.ts";
import { overTables } from "./over-tables.ts";
import { type Cost, type Ran, runStatements } from "./run-statements.ts";
import { openCollections, workerPorts } from "./statement-ports.ts";

/** Longer than any query over rows in memory. */
export const LONGEST_RUN_SECONDS = 60;

export type Activity = "idle" | "starting" | "planning" | "asking" | "reading" | "running";
export type Outcome =
  | Ran
  | { readonly kind: "error"; readonly message: string }
  /** A statement copied from the page that only the files of the dataset can answer. */
  | { readonly kind: "files" }
  | { readonly kind: "stopped"; readonly isTooLong: boolean };

export const sql = consoleSql;
export const activity = signal<Activity>("idle");
export const outcome = signal<Outcome | undefined>(undefined);
/** Undefined until loaded. */
export const tables = signal<readonly ConsoleTable[] | undefined>(undefined);
/** The cost of a read and the number of partitions read so far. */
export const reading = signal<{ readonly read: number; readonly cost: Cost } | undefined>(undefined);

/** Set when the running statement was ended. */
let ended: "stopped" | "tooLong" | undefined;
let isPreparing = false;
let isRunWanted = false;
/** Resolves the user's answer about the cost of a statement. */
let answer: (isAgreed: boolean) => void = () => {};
const foundSelects = new WeakMap<RunningDatabase, string | undefined>();
/** Errors of the engine, which do not affect the database. */
const ENGINE_ERRORS: ReadonlySet<string> = new Set(["FetchError", "DecodeError", "ManifestError", "EngineError"]);
/** Stops reads for a statement, which keeps all tables. */
let readingStop = new AbortController();

/** Starts the database and creates its tables. Does nothing while something runs. Does not throw: errors are in `outcome`. */
export function prepare(): Promise<void> {
  isPreparing = true;
  return during(async () => {
    await openTables(await started());
  }).finally(() => {
    isPreparing = false;
    if (!isRunWanted) return;
    isRunWanted = false;
    void run();
  });
}

/** Runs the SQL over all rows that it can need, after the console is prepared. Results and errors are in `outcome`. */
export async function run(): Promise<void> {
  const text = overTables(sql.peek());
  if (text === undefined || text.trim() === "") {
    outcome.value = { kind: text === undefined ? "files" : "nothing" };
    return;
  }
  if (isPreparing) {
    isRunWanted = true;
    return;
  }
  await during(async () => {
    const console = await started();
    await openTables(console);
    const ran = await runWith(console, text);
    outcome.value = ran;
    if (ran.kind === "result") showFound(ran.result.body);
    tables.value = await console.call("consoleTables", undefined, console.ended);
  });
}

/** Answers whether to read what the statement needs. */
export function agree(isAgreed: boolean): void {
  answer(isAgreed);
}

/** Stops the running statement, which loses the user's tables; or only a read. */
export function stop(): void {
  if (activity.peek() === "reading") readingStop.abort();
  else end("stopped");
}

/** Discards the database and all its tables. */
export async function restart(): Promise<void> {
  end("stopped");
  batch(() => {
    outcome.value = undefined;
    showFound([]);
  });
  await prepare();
}

/** Returns the rows of the last result as CSV. */
export async function resultCsv(): Promise<ArrayBuffer> {
  const { call, ended } = await database.start();
  return call("consoleCsv", undefined, ended);
}

async function runWith(running: RunningDatabase, text: string): Promise<Ran> {
  const { call, ended: over } = running;
  const own = new AbortController();
  readingStop = own;
  over.addEventListener("abort", () => own.abort(), { once: true });
  const stopped = own.signal;
  const ports = workerPorts(running, stopped);
  try {
    return await runStatements(text, {
      ...ports,
      needs(statement) {
        activity.value = "planning";
        return ports.needs(statement);
      },
      run: (statement) => bounded(() => call("runConsole", statement, over)),
      agree(cost) {
        return new Promise((resolve) => {
          over.addEventListener("abort", () => resolve(false), { once: true });
          answer = resolve;
          reading.value = { read: 0, cost };
          activity.value = "asking";
        });
      },
      onRead(progress) {
        reading.value = progress;
        activity.value = "reading";
      },
    });
  } catch (error) {
    if (own.signal.aborted && !over.aborted) return { kind: "declined" };
    throw error;
  }
}

async function bounded(work: () => Promise<ConsoleResult>): Promise<ConsoleResult> {
  activity.value = "running";
  const bound = setTimeout(() => end("tooLong"), LONGEST_RUN_SECONDS * 1000);
  try {
    return await work();
  } finally {
    clearTimeout(bound);
  }
}

async function during(work: () => Promise<void>): Promise<void> {
  if (activity.peek() !== "idle") return;
  ended = undefined;
  try {
    await work();
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    outcome.value = ended ? { kind: "stopped", isTooLong: ended === "tooLong" } : { kind: "error", message };
    // an error of neither DuckDB nor the engine: the worker is broken
    const isExpected = ENGINE_ERRORS.has(name) || /^[A-Z][\w -]* Error: |^column .* is an ENUM/.test(message);
    if (!ended && !isExpected) end("stopped");
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

async function openFileTables({ call, ended: over }: RunningDatabase): Promise<void> {
  const wanted = ownFiles.peek().map(({ table: name, id }) => ({ name, id }));
  for (const table of await call("missingFiles", wanted, over)) {
    const stream = await remote("fileTable", table.id, over);
    await call("fillFile", { table, stream }, over);
  }
}

/** Creates tables of all collections and of the user's files, and the current search as `found`. */
async function openTables(running: RunningDatabase): Promise<void> {
  const { call, ended: over } = running;
  const collections = dataset.peek()?.collections.map(({ name }) => name) ?? [];
  await openCollections(running);
  await openFileTables(running);
  const now = found.peek();
  const select = now && !now.alone ? foundSql(now.search, new Set(collections)) : undefined;
  // only when it changed, because an open transaction of the user may use it
  if (foundSelects.get(running) !== select) {
    await call("nameFound", select, over);
    foundSelects.set(running, select);
  }
  tables.value = await call("consoleTables", undefined, over);
}
