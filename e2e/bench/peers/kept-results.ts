/**
 * Results of one dataset, kept as they are measured: a later run may add to them.
 * @module
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Result } from "./report.ts";
import { NETWORKS } from "./slow-host.ts";

export interface KeptResults {
  /** Those kept so far, the oldest first. */
  readonly results: readonly Result[];
  keep(more: readonly Result[]): void;
}

/**
 * Opens the file: empties it, or with `isAdded` goes on with what it has. Throws when that was measured on another machine or by
 * another browser.
 */
export function openResults(path: string, machine: string, isAdded: boolean): KeptResults {
  const [head, ...lines] = isAdded && existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
  if (head !== undefined && JSON.parse(head) !== machine) {
    throw new Error(`${path} was measured by ${JSON.parse(head)}, this is ${machine}: run it without --add`);
  }
  const results = lines.map(resultOf);
  if (head === undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(machine)}\n`);
  }
  return {
    results,
    keep(more) {
      results.push(...more);
      appendFileSync(path, more.map((result) => `${JSON.stringify(result)}\n`).join(""));
    },
  };
}

/** Infinity is no number of JSON: the network is the one of that name. */
function resultOf(line: string): Result {
  const result = JSON.parse(line) as Result;
  const network = Object.values(NETWORKS).find(({ name }) => name === result.network.name);
  if (!network) throw new Error(`kept results name the network ${result.network.name}, which there is not`);
  return { ...result, network };
}
