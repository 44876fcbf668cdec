import { expect } from "vitest";
import { testSimulator } from "../tests.ts";
import { BUILD_DEFECTS } from "./defects.ts";
import { runSession } from "./session.ts";
import { createBuildWorld } from "./world.ts";

/** Sessions found those with `real`. The other defects of the list take longer. */
const QUICK: readonly (keyof typeof BUILD_DEFECTS)[] = [
  "a folder of sources that cannot be read is left out (real)",
  "a full disk is not reported by workers (real)",
  "a build that lost its lock reports a missing file (real)",
  "folders are not synced before the manifest",
  "the manifest is published before the files of tasks",
  "the older files are removed before the manifest is durable",
  "the lock is not checked before files are moved",
  "a reused pid is the holder of a lock",
  "a published file is not compared with its hash",
];

testSimulator({
  command: "npm run simulate -- --build",
  create: (changes, like) => createBuildWorld(changes, like?.recordings),
  run: runSession,
  defects: BUILD_DEFECTS,
  quick: QUICK,
  mostSessions: 300,
  leastLines: 5,
  expectCounts: ({ finished, failed, killed, powerLosses, waits }, sessions) => {
    // all kinds of ends occurred
    expect(finished).toBeGreaterThan(sessions);
    expect(Math.min(failed, killed, powerLosses, waits)).toBeGreaterThan(sessions / 4);
  },
});
