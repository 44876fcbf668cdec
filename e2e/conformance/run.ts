/**
 * Runs the suite with a transport and the dataset's sources.
 * @module
 */
import type { Check, Kit, Transport } from "./check.ts";
import { CHECKS } from "./checks/index.ts";
import { type Answer, createClient, type Send } from "./client.ts";
import { createCountries } from "./countries.ts";
import { Mismatch, NotApplicable } from "./expect.ts";
import { violationsOf } from "./openapi.ts";
import { createOracle } from "./oracle.ts";
import { readSources } from "./source-rows.ts";

export interface ConformanceOptions {
  /** Sends a request for a path below the base URL, such as `/places?lat=0&lng=0`. */
  readonly fetch: Send;
  /** Parquet files and folders in Overture's schema that the dataset was built from. */
  readonly sources: readonly string[];
  /** Default: `http`. */
  readonly transport?: Transport;
  /** A valid key, if the implementation needs one. */
  readonly key?: string;
  /** Runs only checks with a matching name. Default: all. */
  readonly only?: RegExp;
  /** Called with one line per check, and a summary. */
  readonly report?: (line: string) => void;
}

export interface ConformanceResult {
  readonly passed: number;
  readonly failed: number;
}

/** Runs the suite against an implementation of the interface. Throws only if the sources cannot be read. */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceResult> {
  const { report = () => {}, only } = options;
  const kit = createKit(options, await readSources(options.sources).then(createOracle));
  const checks = CHECKS.flatMap((checksOf) => checksOf(kit.oracle)).filter(({ name }) => only?.test(name) ?? true);
  let [passed, failed] = [0, 0];
  for (const [index, each] of checks.entries()) {
    const outcome = await runCheck(each, kit);
    if (outcome.kind === "passed") passed++;
    if (outcome.kind === "failed") failed++;
    report(lineOf(index + 1, each.name, outcome));
  }
  report(`${passed} passed, ${failed} failed`);
  return { passed, failed };
}

function createKit({ fetch: send, key, transport = "http" }: ConformanceOptions, oracle: Kit["oracle"]): Kit {
  const answers: Answer[] = [];
  const client = createClient({
    send,
    ...(key === undefined ? {} : { key }),
    onAnswer: (answer) => answers.push(answer),
  });
  return {
    client,
    oracle,
    countries: createCountries(client),
    transport,
    ...(key === undefined ? {} : { key }),
    violations: () => violationsOf(client, answers),
  };
}

interface Outcome {
  readonly kind: "passed" | "failed" | "not applicable";
  readonly message?: string;
}

async function runCheck(each: Check, kit: Kit): Promise<Outcome> {
  try {
    await each.run(kit);
    return { kind: "passed" };
  } catch (error) {
    if (error instanceof NotApplicable) return { kind: "not applicable", message: error.message };
    const message = error instanceof Mismatch ? error.message : String(error);
    return { kind: "failed", message: message.replace(/\s+/g, " ") };
  }
}

function lineOf(number: number, name: string, { kind, message = "" }: Outcome): string {
  if (kind === "failed") return `not ok ${number} ${name}: ${message}`;
  return kind === "passed" ? `ok ${number} ${name}` : `skip ${number} ${name}: ${message}`;
}
