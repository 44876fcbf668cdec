/**
 * The tests of a simulator, for the page and for the builder.
 * @module
 */
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import type { Change } from "./program.ts";
import { type AnyResult, runSessions } from "./simulator.ts";

/** Time for random sessions. The nightly workflow runs for hours. */
const SECONDS = Number(process.env.CAIRN_SIMULATOR_SECONDS ?? 60);

export interface Simulated<World, Name extends string> {
  /** The command that runs a session alone, without its seed. */
  readonly command: string;
  /** Makes a world with these changes of the program, and what `like` has of sessions. */
  readonly create: (changes?: readonly Change[], like?: World) => Promise<World>;
  readonly run: (seed: number, world: World, log?: (line: string) => void) => Promise<AnyResult<Name>>;
  readonly defects: Readonly<Record<string, readonly Change[]>>;
  /** Defects that few sessions find. */
  readonly quick: readonly string[];
  readonly mostSessions: number;
  /** Minimum lines of a session's log. */
  readonly leastLines: number;
  /** Throws unless all that sessions are for has occurred. */
  readonly expectCounts: (counts: Readonly<Record<Name, number>>, sessions: number) => void;
}

/** Declares the tests. */
export function testSimulator<World, Name extends string>(simulated: Simulated<World, Name>): void {
  const { command, create, run, defects, quick, mostSessions, leastLines, expectCounts } = simulated;
  let world: World;
  beforeAll(async () => {
    world = await create();
  });

  async function logOf(seed: number): Promise<string[]> {
    const lines: string[] = [];
    await run(seed, world, (line) => lines.push(line));
    return lines;
  }

  test("a seed does the same each time, after any other session", async () => {
    const first = await logOf(11);
    await runSessions((seed) => run(seed, world), { firstSeed: 12, sessions: 5 });
    expect(await logOf(11)).toEqual(first);
    expect(first.length).toBeGreaterThan(leastLines);
    expect(await logOf(12)).not.toEqual(first);
  });

  test(`random sessions of ${SECONDS} s have no fault`, async () => {
    const { sessions, counts, failed } = await runSessions((seed) => run(seed, world), {
      firstSeed: 0,
      sessions: 100_000,
      maxMs: SECONDS * 1000,
    });
    console.log(`${sessions} sessions on one of ${availableParallelism()} processors: ${JSON.stringify(counts)}`);
    expect(failed && `${command} --seed ${failed.seed}: ${failed.fault}`).toBeUndefined();
    expectCounts(counts, sessions);
  });

  test("each defect changes a text that its module has once", async () => {
    const changes = Object.values(defects).flat();
    expect(changes.length).toBeGreaterThan(quick.length);
    for (const { module, from } of changes) {
      const source = await readFile(fileURLToPath(new URL(`../..${module}`, import.meta.url)), "utf8");
      expect(source.split(from).length, `${module}: ${from}`).toBe(2);
    }
  });

  describe("finds a defect:", () => {
    test.each(quick)("%s", async (name) => {
      const broken = await create(defects[name], world);
      const { failed } = await runSessions((seed) => run(seed, broken), { firstSeed: 1, sessions: mostSessions });
      expect(failed?.fault).toBeDefined();
      expect(await run(failed?.seed ?? 0, world)).toMatchObject({ fault: undefined });
    });
  });
}
