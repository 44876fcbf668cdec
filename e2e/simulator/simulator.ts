/**
 * Prepares sessions, and runs many of them.
 * @module
 */
import { GLOBAL_NAMES } from "./browser.ts";
import { type Change, loadProgram } from "./program.ts";
import { makeReleases, type Releases } from "./releases.ts";
import { type Counts, runSession, type SessionResult, type World } from "./session.ts";

/** Makes the program of a tab, with the changes if there are any. Makes releases unless they are given. */
export async function createWorld(changes: readonly Change[] = [], made?: Releases): Promise<World> {
  const [releases, start] = await Promise.all([made ?? makeReleases(), loadProgram(GLOBAL_NAMES, changes)]);
  return { releases, start, idle: [] };
}

export interface RunReport {
  readonly sessions: number;
  readonly counts: Counts;
  /** The first session with a fault. */
  readonly failed: SessionResult | undefined;
}

/** Runs the sessions of these seeds until one has a fault, or until there is no time left. */
export async function runSessions(
  world: World,
  {
    firstSeed,
    sessions,
    maxMs = Number.POSITIVE_INFINITY,
  }: { readonly firstSeed: number; readonly sessions: number; readonly maxMs?: number },
): Promise<RunReport> {
  const start = performance.now();
  const counts: Partial<Counts> = {};
  let count = 0;
  let failed: SessionResult | undefined;
  while (count < sessions && !failed && performance.now() - start < maxMs) {
    const result = await runSession(firstSeed + count, world);
    count++;
    for (const [name, value] of Object.entries(result.counts)) {
      const key = name as keyof Counts;
      counts[key] = (counts[key] ?? 0) + value;
    }
    if (result.fault !== undefined) failed = result;
  }
  return { sessions: count, counts: counts as Counts, failed };
}
