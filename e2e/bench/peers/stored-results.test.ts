import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Result } from "./report.ts";
import { NETWORKS } from "./slow-host.ts";
import { openResults } from "./stored-results.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cairn-results-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const question = { kind: "country", name: "MC by id", country: "MC", limit: 25, page: 0 } as const;
const cell = { peer: "cairn-scan", question, network: NETWORKS.none, state: "cold" } as const;
const answered: Result = { ...cell, ms: 20, ids: ["a"], total: 1, requests: 2, bytes: 4000, roundTrips: 1 };
const late: Result = { ...cell, peer: "hyparquet", failure: "over 60 s" };

test("a run adds to earlier results, or starts again", () => {
  const path = join(folder, "results", "1.jsonl");
  const first = openResults(path, "a machine", true);
  first.keep([answered]);
  first.keep([late]);
  expect(first.results).toEqual([answered, late]);
  const second = openResults(path, "a machine", true);
  expect(second.results).toEqual([answered, late]);
  second.keep([answered]);
  expect(openResults(path, "a machine", true).results).toHaveLength(3);
  expect(openResults(path, "a machine", false).results).toEqual([]);
  expect(openResults(path, "a machine", true).results).toEqual([]);
});

test("results of another machine are not mixed in", () => {
  const path = join(folder, "1.jsonl");
  openResults(path, "a machine", false).keep([answered]);
  expect(() => openResults(path, "another", true)).toThrow(/measured by a machine, this is another/);
});
