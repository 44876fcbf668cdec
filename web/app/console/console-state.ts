/**
 * The state of the SQL console. It stays when the panel is closed, because the database worker then still has the user's own
 * tables. @module
 */

import { batch, signal } from "@preact/signals";
import type { ConsoleResult, ConsoleTable } from "../../hosts/browser/protocol/index.ts";
import { foundSql } from "../copy/index.ts";
import { ownFiles } from "../files/index.ts";
import { consoleSql, dataset, found, showFound } from "../state/index.ts";
import { database, type RunningDatabase, remote } from "../worker/index.ts";
import { overTables } from "./over-tables.ts";
import { type Cost, type Ran, runStatements } from "./run-statements.ts";
import { openCollections, workerPorts } from "./statement-ports.ts";

/** Time after which a statement is ended. No query over rows in memory takes so long. */
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
/** The tables of the database; undefined until they are loaded. */
export const tables = signal<readonly ConsoleTable[] | undefined>(undefined);
/** Partitions read so far for the running statement, and the cost of all that it must read; undefined while nothing is read. */
export const reading = signal<{ readonly read: number; readonly cost: Cost } | undefined>(undefined);

/** Why the running statement was ended; undefined if it was not. */
let ended: "stopped" | "tooLong" | undefined;
let isPreparing = false;
let isRunWanted = false;
/** Passes on the user's answer whether to read what a statement needs. */
let answer: (isAgreed: boolean) => void = () => {};
const foundSelects = new WeakMap<RunningDatabase, string | undefined>();
/** Names of errors of the engine. After them the database can still be used. */
const ENGINE_ERRORS: ReadonlySet<string> = new Set(["FetchError", "DecodeError", "ManifestError", "EngineError"]);
/** Stops the reads for a statement. All tables stay. */
let readingStop = new AbortController();

/**
 * Starts the database and creates its tables. Does nothing while something else runs. Does not throw: errors are in `outcome`.
 */
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

/**
 * Runs the text of the editor, and reads the rows it needs first. Waits until the console is prepared. Does not throw: results
 * and errors are in `outcome`.
 */
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

/** Answers the question whether to read what a statement needs. */
export function agree(isAgreed: boolean): void {
  answer(isAgreed);
}

/** While rows are read, stops only that. Otherwise ends the database, which loses the user's tables. */
export function stop(): void {
  if (activity.peek() === "reading") readingStop.abort();
  else end("stopped");
}

/** Ends the database, which loses all tables and the result, and starts another. */
export async function restart(): Promise<void> {
  end("stopped");
  batch(() => {
    outcome.value = undefined;
    showFound([]);
  });
  await prepare();
}

/** Returns the last result as CSV in UTF-8, with a header and at most `MOST_KEPT_ROWS` rows. */
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

/** Creates tables of the dataset's collections and of the user's files, and the view `found` of the current search. */
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
