/**
 * The console's worker and what it gave. Kept when the panel is closed: the reader's own tables are in that worker.
 * @module
 */
import { batch, signal } from "@preact/signals";
import type { ConsoleProgress, ConsoleResult, ConsoleTable } from "../../hosts/browser/protocol/console-calls.ts";
import type { Remote } from "../../hosts/browser/protocol/protocol.ts";
import { callRemote } from "../../hosts/browser/protocol/remote.ts";
import { showFound } from "../state/index.ts";
import { remote, startWorker } from "../worker/index.ts";

/** Longer than any question to rows in memory takes. */
export const LONGEST_RUN_SECONDS = 60;

export type Activity =
  | { readonly kind: "idle" | "filling" | "running" }
  | ({ readonly kind: "starting" } & ConsoleProgress);
export type Outcome =
  | { readonly kind: "result"; readonly result: ConsoleResult }
  | { readonly kind: "error"; readonly message: string }
  | { readonly kind: "stopped"; readonly isTooLong: boolean };

export const sql = signal("");
export const activity = signal<Activity>({ kind: "idle" });
export const outcome = signal<Outcome | undefined>(undefined);
/** Undefined until they are known. */
export const tables = signal<readonly ConsoleTable[] | undefined>(undefined);

interface Running {
  readonly call: Remote;
  /** Aborted when the worker is ended: nobody answers then. */
  readonly ending: AbortController;
  /** What each table was filled with. */
  readonly stamps: Map<string, string>;
}

let running: Promise<Running> | undefined;
let worker: Worker | undefined;
let ending = new AbortController();
let isTooLong = false;
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
  if (isPreparing) {
    isRunWanted = true;
    return;
  }
  await during(async () => {
    const console = await started();
    await fill(console);
    activity.value = { kind: "running" };
    const bound = setTimeout(() => end(true), LONGEST_RUN_SECONDS * 1000);
    try {
      const result = await console.call("runConsole", sql.peek(), console.ending.signal);
      outcome.value = { kind: "result", result };
      showFound(result.body);
      tables.value = await console.call("consoleTables", undefined, console.ending.signal);
    } finally {
      clearTimeout(bound);
    }
  });
}

/** Ends what is running; tables that the reader made are lost. */
export function stop(): void {
  end(false);
}

/** Forgets all that was done in the console, and fills it anew. */
export async function beginAnew(): Promise<void> {
  end(false);
  batch(() => {
    outcome.value = undefined;
    showFound([]);
  });
  await prepare();
}

async function during(work: () => Promise<void>): Promise<void> {
  if (activity.peek().kind !== "idle") return;
  activity.value = { kind: "filling" };
  isTooLong = false;
  const { signal } = ending;
  try {
    await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    outcome.value = signal.aborted ? { kind: "stopped", isTooLong } : { kind: "error", message };
    // Not a word of DuckDB's, but of what it stands on: it cannot go on.
    if (!signal.aborted && !/^[A-Z][\w -]* Error: |^column .* is an ENUM/.test(message)) end(false);
  } finally {
    activity.value = { kind: "idle" };
  }
}

function end(tooLong: boolean): void {
  isTooLong = tooLong;
  ending.abort();
  worker?.terminate();
  ending = new AbortController();
  running = undefined;
}

function started(): Promise<Running> {
  running ??= start().catch((error: unknown) => {
    running = undefined;
    throw error;
  });
  return running;
}

async function start(): Promise<Running> {
  worker = startWorker();
  const mine = { call: callRemote(worker, () => {}), ending, stamps: new Map<string, string>() };
  const base = new URL("./", document.baseURI).href;
  await mine.call("startConsole", base, ending.signal, (progress) => {
    activity.value = { kind: "starting", ...progress };
  });
  return mine;
}

/** Tables whose rows are not those that are loaded now are made anew. */
async function fill({ call, ending: { signal }, stamps }: Running): Promise<void> {
  activity.value = { kind: "filling" };
  for (const { collection, stamp } of await remote("loadedRows", undefined, signal)) {
    if (stamps.get(collection) === stamp) continue;
    const stream = await remote("loadedTable", collection, signal);
    await call("fillConsole", { name: collection, stream }, signal);
    stamps.set(collection, stamp);
  }
  tables.value = await call("consoleTables", undefined, signal);
}
