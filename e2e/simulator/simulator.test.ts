import { expect } from "vitest";
import { DEFECTS } from "./defects.ts";
import { runSession } from "./session.ts";
import { createWorld } from "./simulator.ts";
import { testSimulator } from "./tests.ts";

/** The first one was in the program until a session found it. The others of the list take longer. */
const QUICK: readonly (keyof typeof DEFECTS)[] = [
  "files without a known use stay for ever",
  "files that another area needs are removed with an area",
  "a signature of any key is accepted",
  "a search goes on with the files of another release",
  "a host that is silent is awaited for ever",
];

testSimulator({
  command: "npm run simulate --",
  create: (changes, like) => createWorld(changes, like?.releases),
  run: runSession,
  defects: DEFECTS,
  quick: QUICK,
  mostSessions: 1000,
  leastLines: 20,
  expectCounts: ({ right, errors, saved, unsaved, crashes, offline }, sessions) => {
    // all kinds of steps occurred, and most questions have an answer
    expect(right).toBeGreaterThan(3 * errors);
    expect(Math.min(saved, unsaved, crashes, offline)).toBeGreaterThan(sessions / 4);
  },
});
