import { availableParallelism } from "node:os";
import { beforeAll, describe, expect, test } from "vitest";
import { runSessions } from "../simulator.ts";
import { BUILD_DEFECTS } from "./defects.ts";
import { runSession, type World } from "./session.ts";
import { createBuildWorld } from "./world.ts";

/** Time for random sessions. The nightly workflow runs for hours. */
const SECONDS = Number(process.env.CAIRN_SIMULATOR_SECONDS ?? 60);
/** The first was in the program until a session found it. Others of the list take longer. */
const QUICK = [
  "a folder of sources that cannot be read is left out (real)",
  "folders are not synced before the manifest",
  "the manifest is published before the files of tasks",
  "the older files are removed before the manifest is durable",
  "the lock is not checked before files are moved",
  "a reused pid is the holder of a lock",
  "a published file is not compared with its hash",
] as const;
const MOST_SESSIONS = 300;

let world: World;
beforeAll(async () => {
  world = await createBuildWorld();
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
  expect(first.length).toBeGreaterThan(5);
  expect(await logOf(12)).not.toEqual(first);
});

test(`random sessions of ${SECONDS} s have no fault`, async () => {
  const { sessions, counts, failed } = await runSessions((seed) => runSession(seed, world), {
    firstSeed: 0,
    sessions: 100_000,
    maxMs: SECONDS * 1000,
  });
  console.log(`${sessions} sessions on one of ${availableParallelism()} processors: ${JSON.stringify(counts)}`);
  expect(failed && `npm run simulate -- --build --seed ${failed.seed}: ${failed.fault}`).toBeUndefined();
  // all kinds of ends occurred
  expect(counts.finished).toBeGreaterThan(sessions);
  expect(Math.min(counts.failed, counts.killed, counts.powerLosses, counts.waits)).toBeGreaterThan(sessions / 4);
});

describe("finds a defect:", () => {
  test.each(QUICK)("%s", async (name) => {
    const broken = await createBuildWorld(BUILD_DEFECTS[name], world.recordings);
    const { failed } = await runSessions((seed) => runSession(seed, broken), { firstSeed: 1, sessions: MOST_SESSIONS });
    expect(failed?.fault).toBeDefined();
    expect(await runSession(failed?.seed ?? 0, world)).toMatchObject({ fault: undefined });
  });
});
