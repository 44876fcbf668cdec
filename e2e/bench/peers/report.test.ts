import { expect, test } from "vitest";
import type { Failed, Measured } from "./measure.ts";
import type { PeerName } from "./question.ts";
import { disagreements, isCairnOneMind, reportOf, timesAsked } from "./report.ts";
import { NETWORKS } from "./slow-host.ts";

const question = { kind: "country", name: "MC by id", country: "MC", limit: 25, page: 0 } as const;

function measured(peer: PeerName, ms: number, ids: readonly string[] = ["a", "b"]): Measured {
  const sent = { requests: 2, bytes: 4000, roundTrips: 1 };
  return { peer, question, network: NETWORKS.fast, state: "cold", ms, ids, total: ids.length, ...sent };
}

function failed(peer: PeerName, failure: string): Failed {
  return { peer, question, network: NETWORKS.fast, state: "cold", failure };
}

function rowOf(report: string): string[] {
  const line = report.split("\n").find((text) => text.startsWith("| MC by id")) ?? "";
  return line.split("|").map((cell) => cell.trim());
}

test("a row has medians, and the ratio of the best peer to Cairn", () => {
  const runs = [10, 30, 20].flatMap((ms) => [measured("cairn-scan", ms), measured("hyparquet", 3 * ms)]);
  const cells = rowOf(reportOf(runs));
  expect(cells).toContain("20 ms, 2 / 4 KB / 1");
  expect(cells.at(-2)).toBe("3.0");
});

test("a faster peer is reported, unless its answer differs", () => {
  const slow = measured("cairn-scan", 20);
  const ahead = reportOf([slow, measured("hyparquet", 10)]);
  expect(ahead).toContain("- MC by id, 50 ms, 20 Mbit/s, cold: cairn-scan 20 ms, hyparquet 10 ms");
  const wrong = [slow, measured("hyparquet", 10, ["a"])];
  expect(reportOf(wrong)).toContain("Nowhere in what was measured.");
  expect(rowOf(reportOf(wrong)).at(-2)).toBe("-");
  expect(disagreements(wrong)).toHaveLength(1);
  expect(isCairnOneMind(wrong)).toBe(true);
});

test("different answers of Cairn are found", () => {
  expect(isCairnOneMind([measured("cairn-scan", 1), measured("cairn-scan", 1, ["b", "a"])])).toBe(false);
});

test("a failure is in its cell and below the table", () => {
  const late = failed("duckdb-copy", "over 60 s");
  const report = reportOf([measured("cairn-scan", 20), late]);
  expect(rowOf(report)).toContain("over 60 s");
  expect(report).toContain("- duckdb-copy: over 60 s (1 of the rows above, as MC by id, 50 ms, 20 Mbit/s, cold)");
});

test("skipped questions of a peer do not affect its answered ones", () => {
  const spared = failed("hyparquet", "not asked after an answer of over 60 s");
  expect(rowOf(reportOf([measured("cairn-scan", 20), measured("hyparquet", 40), spared]))).toContain(
    "40 ms, 2 / 4 KB / 1",
  );
});

test("the report contains how often peers were asked, without skipped questions", () => {
  const once = [measured("cairn-scan", 1), measured("hyparquet", 2)];
  expect(timesAsked(once)).toBe("1 measurement");
  expect(timesAsked([...once, ...once])).toBe("2 measurements");
  expect(timesAsked([...once, measured("cairn-scan", 3)])).toBe("1 to 2 measurements");
  const spared = failed("hyparquet", "not asked after an answer of over 60 s");
  expect(timesAsked([measured("cairn-scan", 1), measured("cairn-scan", 1), spared])).toBe("2 measurements");
});
