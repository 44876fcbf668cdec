import { availableParallelism } from "node:os";
import { beforeAll, describe, expect, test } from "vitest";
import { DEFECTS } from "./defects.ts";
import { runSession, type World } from "./session.ts";
import { createWorld, runSessions } from "./simulator.ts";

/** Time for random sessions. The nightly workflow runs for hours. */
const SECONDS = Number(process.env.CAIRN_SIMULATOR_SECONDS ?? 60);
/** The first one was in the program until a session found it. The others of the list take longer. */
const QUICK = [
  "files without a known use stay for ever",
  "files that another area needs are removed with an area",
  "a signature of any key is accepted",
  "a search goes on with the files of another release",
  "a host that is silent is awaited for ever",
] as const;
const MOST_SESSIONS = 1000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

async function logOf(seed: number): Promise<string[]> {
  const lines: string[] = [];
  await runSession(seed, world, (line) => lines.push(line));
  return lines;
}

test("a seed does the same each time, after any other session", async () => {
  const first = await logOf(11);
  await runSessions((seed) => runSession(seed, world), { firstSeed: 12, sessions: 5 });
  expect(await logOf(11)).toEqual(first);
  expect(first.length).toBeGreaterThan(20);
  expect(await logOf(12)).not.toEqual(first);
});

test(`random sessions of ${SECONDS} s have no fault`, async () => {
  const { sessions, counts, failed } = await runSessions((seed) => runSession(seed, world), {
    firstSeed: 0,
    sessions: 100_000,
    maxMs: SECONDS * 1000,
  });
  console.log(`${sessions} sessions on one of ${availableParallelism()} processors: ${JSON.stringify(counts)}`);
  expect(failed && `npm run simulate -- --seed ${failed.seed}: ${failed.fault}`).toBeUndefined();
  // all kinds of steps occurred, and most questions have an answer
  expect(counts.right).toBeGreaterThan(3 * counts.errors);
  expect(Math.min(counts.saved, counts.unsaved, counts.crashes, counts.offline)).toBeGreaterThan(sessions / 4);
});

describe("finds a defect:", () => {
  test.each(QUICK)("%s", async (name) => {
    const broken = await createWorld(DEFECTS[name], world.releases);
    const { failed } = await runSessions((seed) => runSession(seed, broken), { firstSeed: 1, sessions: MOST_SESSIONS });
    expect(failed?.fault).toBeDefined();
    expect(await runSession(failed?.seed ?? 0, world)).toMatchObject({ fault: undefined });
  });
});
