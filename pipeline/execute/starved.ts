/**
 * What tells that a task died of too little memory: a file named for it, which the task left with DuckDB's words, or
 * empty whoever started it, when it was killed. @module
 */
import { join } from "node:path";
import type { Task } from "../plan/index.ts";

export function starvedFolder(work: string): string {
  return join(work, "starved");
}

/** As shells and Spark's driver spell it too. */
export function taskName(stage: string, index: number): string {
  return `${stage}-${index}`;
}

/** As DuckDB and Node say it. */
export function isStarved(error: unknown): boolean {
  const said = error instanceof Error ? error.message : String(error);
  return /Out of Memory Error|Array buffer allocation failed/.test(said);
}

/** Node ends itself by SIGABRT when its heap is full, the system a process by SIGKILL: as a shell tells it. */
export const STARVED_CODES = [134, 137];
export const STARVED_SIGNALS: readonly NodeJS.Signals[] = ["SIGABRT", "SIGKILL"];

export function tooLittle({ stage, collection }: Task, memoryBytes: number, words: string): Error {
  const given = `${Math.floor(memoryBytes / 2 ** 20)}MB`;
  const said = words.split("\n")[0];
  return new Error(`${collection}: stage ${stage} had all of --memory, ${given}, and needs more: ${said}`);
}
