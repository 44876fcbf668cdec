/** Runs the current search in DuckDB, page by page, and compares it with the engine's answer. @module */
import { signal } from "@preact/signals";
import type { DuckdbAnswer } from "../../hosts/browser/protocol/index.ts";
import type { FormatName } from "../../search/index.ts";
import { servedUnder } from "../address/index.ts";
import { type Cost, openCollections, type Ran, runStatements, workerPorts } from "../console/index.ts";
import type { DuckdbSearch } from "../copy/index.ts";
import { dataset, type Found, orderedArgument } from "../state/index.ts";
import { database, type RunningDatabase, remote } from "../worker/index.ts";
import { type Comparison, compareRows, type Rows } from "./compare-rows.ts";

type Statements = Extract<DuckdbSearch, { readonly kind: "statements" }>;

/** An answer, its duration, and what it needs to read. */
export interface Timed extends Rows {
  readonly milliseconds: number;
  /** Size and number of the partitions or files that the answer needs, also those in memory; undefined if not known. */
  readonly bytes: number | undefined;
  readonly parts: number | undefined;
}

export interface Compared {
  readonly page: number;
  readonly engine: Timed;
  readonly duckdb: Timed;
  readonly comparison: Comparison;
}

export type Stage =
  | { readonly kind: "starting" | "planning" | "running" }
  | { readonly kind: "reading"; readonly read: number; readonly cost: Cost }
  | { readonly kind: "asking"; readonly cost: Cost; readonly agree: (isAgreed: boolean) => void };

export type Failure =
  | Exclude<Ran, { readonly kind: "result" }>
  | { readonly kind: "stopped"; readonly isTooLong: boolean }
  | { readonly kind: "error"; readonly message: string };

/** Time after which a statement is ended. No search over partitions in memory takes so long. */
const LONGEST_MS = 60_000;

export type DuckdbRun = ReturnType<typeof createDuckdbRun>;

/** Creates what runs the pages of a search in DuckDB. `statementsOf` returns the statements of a page, counted from 0. */
export function createDuckdbRun(found: Found, statementsOf: (page: number) => Statements) {
  const stage = signal<Stage | undefined>(undefined);
  const failure = signal<Failure | undefined>(undefined);
  const compared = signal<Compared | undefined>(undefined);
  let stopping = new AbortController();

  async function answer(running: RunningDatabase, page: number): Promise<Ran<DuckdbAnswer>> {
    const { call, ended } = running;
    const ports = workerPorts(running, stopping.signal);
    const { kind: _, all: __, ...statements } = statementsOf(page);
    stage.value = { kind: "planning" };
    return runStatements(statements.rows, {
      ...ports,
      async run() {
        stage.value = { kind: "running" };
        const end = setTimeout(() => stop(true), LONGEST_MS);
        return call("duckdbSearch", statements, ended).finally(() => clearTimeout(end));
      },
      agree(cost) {
        return new Promise((resolve) => {
          stopping.signal.addEventListener("abort", () => resolve(false), { once: true });
          stage.value = { kind: "asking", cost, agree: resolve };
        });
      },
      onRead: (progress) => {
        stage.value = { kind: "reading", ...progress };
      },
    });
  }

  /** Returns the engine's answer for the page: the list's own if it starts with that page, otherwise that of a new search. */
  async function engineAnswer(page: number): Promise<Timed> {
    const costOf = (report: Found["report"]) => ({
      bytes: report?.files.reduce((sum, { bytes }) => sum + bytes, 0),
      parts: report?.files.length,
    });
    const { search, report } = found;
    if (page === search.page) return { ...found, ...costOf(report) };
    const start = performance.now();
    const next = await remote("search", orderedArgument({ ...search, page }), stopping.signal);
    if (next.kind === "refused") throw new Error(next.faults.join("; "));
    const milliseconds = performance.now() - start;
    return { total: next.total, records: next.body, milliseconds, ...costOf(next.report) };
  }

  function stop(isTooLong = false): void {
    const isRunning = stage.peek()?.kind === "running";
    failure.value = { kind: "stopped", isTooLong };
    stopping.abort();
    // a statement cannot be stopped in another way
    if (isRunning) database.end();
  }

  return {
    stage,
    failure,
    compared,
    stop: () => stop(),

    /** Runs a page and compares it. */
    async run(page: number): Promise<void> {
      if (stage.peek()) return;
      stopping = new AbortController();
      const { signal: stopped } = stopping;
      failure.value = undefined;
      stage.value = { kind: "starting" };
      try {
        const running = await database.start();
        await openCollections(running);
        stopped.throwIfAborted();
        const start = performance.now();
        const ran = await answer(running, page);
        if (stopped.aborted) return;
        if (ran.kind !== "result") {
          failure.value = ran;
          return;
        }
        const { total, body: records } = ran.result;
        const milliseconds = performance.now() - start;
        const { bytes, partitions: parts } = ran.needed;
        const engine = await engineAnswer(page);
        const duckdb = { total, records, milliseconds, bytes, parts };
        const first = page * found.search.limit + 1;
        compared.value = { page, engine, duckdb, comparison: compareRows(engine, duckdb, first) };
      } catch (error) {
        if (!stopped.aborted) failure.value = { kind: "error", message: messageOf(error) };
      } finally {
        stage.value = undefined;
      }
    },

    /** Returns all rows as a file; undefined while something runs, and on failure, which is in `failure`. */
    async save(format: FormatName): Promise<Blob | undefined> {
      if (stage.peek()) return undefined;
      failure.value = undefined;
      stage.value = { kind: "running" };
      try {
        const { call, ended } = await database.start();
        const { all: sql, only, dataset: described } = statementsOf(0);
        const { release = "", attribution = [] } = dataset.peek() ?? {};
        const credit = { ...described, release, attribution };
        const path = servedUnder(found.search.path);
        return new Blob([await call("duckdbExport", { sql, only, path, format, credit }, ended)]);
      } catch (error) {
        failure.value ??= { kind: "error", message: messageOf(error) };
        return undefined;
      } finally {
        stage.value = undefined;
      }
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
