/**
 * Stores results of a dataset as they are measured, so that a later run can add to them.
 * @module
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Result } from "./report.ts";
import { NETWORKS } from "./slow-host.ts";

export interface StoredResults {
  /** Stored results, the oldest first. */
  readonly results: readonly Result[];
  keep(more: readonly Result[]): void;
}

/**
 * Opens the file. Empties it, or with `isAdded` appends. Throws if its results come from another machine or browser.
 */
export function openResults(path: string, machine: string, isAdded: boolean): StoredResults {
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

/** JSON has no Infinity, so the network is stored by name. */
function resultOf(line: string): Result {
  const result = JSON.parse(line) as Result;
  const network = Object.values(NETWORKS).find(({ name }) => name === result.network.name);
  if (!network) throw new Error(`stored results have the unknown network ${result.network.name}`);
  return { ...result, network };
}
