/**
 * Runs simulated sessions of the page, or of the builder with `--build`: `npm run simulate -- --sessions 1000`. A session with a
 * fault ends the run; `--seed 17` runs it alone, with a log of its steps.
 * @module
 */
import { readOptions } from "../support/options.ts";
import { runSession as runBuildSession } from "./build/session.ts";
import { createBuildWorld } from "./build/world.ts";
import { runSession } from "./session.ts";
import { type AnyResult, createWorld, runSessions } from "./simulator.ts";

const USAGE = `npm run simulate -- [--build] [--sessions 1000 | --minutes 60] [--first 0] | --seed 17

Random sessions until one has a fault: of tabs, host and storage, or of builds with --build. --seed runs one alone, with a log of its steps; --first is the first seed.`;

const MAX_SEED = 2 ** 31 - 1;

const { values, refuse } = readOptions({
  usage: USAGE,
  options: {
    build: { type: "boolean" },
    seed: { type: "string" },
    sessions: { type: "string" },
    first: { type: "string" },
    minutes: { type: "string" },
  },
});

function whole(name: "seed" | "sessions" | "first" | "minutes", missing: number): number {
  const text = values[name];
  const number = text === undefined ? missing : Number(text);
  if (Number.isInteger(number) && number >= 0 && number <= MAX_SEED) return number;
  return refuse(`--${name} is ${text}, expected a whole number from 0 to ${MAX_SEED}`);
}

type Run = (seed: number, log?: (line: string) => void) => Promise<AnyResult<string>>;

async function prepare(): Promise<Run> {
  if (values.build) {
    const world = await createBuildWorld();
    return (seed, log) => runBuildSession(seed, world, log);
  }
  const world = await createWorld();
  return (seed, log) => runSession(seed, world, log);
}

const run = await prepare();
if (values.seed !== undefined) {
  const { fault, counts } = await run(whole("seed", 0), (line) => console.log(line));
  console.log(fault === undefined ? "no fault" : `FAULT: ${fault}`, JSON.stringify(counts));
  process.exit(fault === undefined ? 0 : 1);
}
const startMs = performance.now();
const minutes = whole("minutes", 0);
const { sessions, counts, failed } = await runSessions((seed) => run(seed), {
  firstSeed: whole("first", 0),
  sessions: whole("sessions", minutes > 0 ? MAX_SEED : 1000),
  ...(minutes > 0 ? { maxMs: minutes * 60_000 } : {}),
});
const ms = performance.now() - startMs;
console.log(
  `${sessions} sessions in ${(ms / 1000).toFixed(1)} s, ${(ms / sessions).toFixed(2)} ms each: ${JSON.stringify(counts)}`,
);
if (failed) {
  console.log(`FAULT: ${failed.fault}`);
  console.log(`run it alone: npm run simulate -- ${values.build ? "--build " : ""}--seed ${failed.seed}`);
  process.exit(1);
}
