/**
 * Runs simulated sessions: `npm run simulate -- --sessions 1000`. A session with a fault ends the run; `--seed 17` runs it alone,
 * with a log of its steps.
 * @module
 */
import { parseArgs } from "node:util";
import { runSession } from "./session.ts";
import { createWorld, runSessions } from "./simulator.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    sessions: { type: "string" },
    first: { type: "string" },
    minutes: { type: "string" },
  },
});

function whole(name: "seed" | "sessions" | "first" | "minutes", missing: number): number {
  const text = values[name];
  const number = text === undefined ? missing : Number(text);
  if (Number.isInteger(number) && number >= 0 && number < 2 ** 31) return number;
  console.error(`cairn: --${name} is ${text}, expected a whole number from 0 to ${2 ** 31 - 1}`);
  process.exit(2);
}

const world = await createWorld();
if (values.seed !== undefined) {
  const { fault, counts } = await runSession(whole("seed", 0), world, (line) => console.log(line));
  console.log(fault === undefined ? "no fault" : `FAULT: ${fault}`, JSON.stringify(counts));
  process.exit(fault === undefined ? 0 : 1);
}
const startMs = performance.now();
const minutes = whole("minutes", 0);
const { sessions, counts, failed } = await runSessions(world, {
  firstSeed: whole("first", 0),
  sessions: whole("sessions", minutes > 0 ? 2 ** 31 - 1 : 1000),
  ...(minutes > 0 ? { maxMs: minutes * 60_000 } : {}),
});
const ms = performance.now() - startMs;
console.log(
  `${sessions} sessions in ${(ms / 1000).toFixed(1)} s, ${(ms / sessions).toFixed(2)} ms each: ${JSON.stringify(counts)}`,
);
if (failed) {
  console.log(`FAULT: ${failed.fault}`);
  console.log(`run it alone: npm run simulate -- --seed ${failed.seed}`);
  process.exit(1);
}
