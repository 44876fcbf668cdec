/**
 * Prepares sessions of the page, and runs many of any kind.
 * @module
 */
import { GLOBAL_NAMES } from "./browser.ts";
import { type Change, loadProgram } from "./program.ts";
import { makeReleases, type Releases } from "./releases.ts";
import type { World } from "./session.ts";

/** Makes the program of a tab, with the changes if there are any. Makes releases unless they are given. */
export async function createWorld(changes: readonly Change[] = [], made?: Releases): Promise<World> {
  const [releases, start] = await Promise.all([made ?? makeReleases(), loadProgram(GLOBAL_NAMES, changes)]);
  return { releases, start, idle: [] };
}

export interface AnyResult<Name extends string> {
  readonly seed: number;
  readonly fault: string | undefined;
  readonly counts: Readonly<Record<Name, number>>;
}

export interface RunReport<Name extends string> {
  readonly sessions: number;
  readonly counts: Record<Name, number>;
  /** The first session with a fault. */
  readonly failed: AnyResult<Name> | undefined;
}

/** Runs the sessions of these seeds until one has a fault, or until there is no time left. */
export async function runSessions<Name extends string>(
  run: (seed: number) => Promise<AnyResult<Name>>,
  {
    firstSeed,
    sessions,
    maxMs = Number.POSITIVE_INFINITY,
  }: { readonly firstSeed: number; readonly sessions: number; readonly maxMs?: number },
): Promise<RunReport<Name>> {
  const start = performance.now();
  const counts: Partial<Record<Name, number>> = {};
  let count = 0;
  let failed: AnyResult<Name> | undefined;
  while (count < sessions && !failed && performance.now() - start < maxMs) {
    const result = await run(firstSeed + count);
    count++;
    for (const name of Object.keys(result.counts) as Name[]) counts[name] = (counts[name] ?? 0) + result.counts[name];
    if (result.fault !== undefined) failed = result;
  }
  return { sessions: count, counts: counts as Record<Name, number>, failed };
}
