/**
 * Medians of the benchmark as a Markdown table, Cairn beside its peers.
 * @module
 */
import type { State } from "./arguments.ts";
import type { Measured } from "./measure.ts";

/** The middle one; of an even number the mean of the two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [sorted[sorted.length % 2 ? middle : middle - 1], sorted[middle]];
  return (low + high) / 2;
}

/** Questions whose answers differ between peers: a benchmark of different answers is none. */
export function disagreements(measured: readonly Measured[]): string[] {
  return [...groupBy(measured, rowKey)].flatMap(([key, of]) => {
    const answers = [...groupBy(of, ({ ids, total }) => `${total} ${ids.join(" ")}`)];
    if (answers.length <= 1) return [];
    const told = answers.map(([answer, by]) => {
      return `${[...new Set(by.map(({ peer }) => peer))]}: ${answer.slice(0, 60)}`;
    });
    return [`${key}: ${told.join("; ")}`];
  });
}

/** A line for each question, network and state: milliseconds, requests and kilobytes of each peer, and the ratio. */
export function tableOf(measured: readonly Measured[]): string {
  const peers = [...new Set(measured.map(({ peer }) => peer))];
  const ours = peers.filter((peer) => peer.startsWith("cairn"));
  const others = peers.filter((peer) => !peer.startsWith("cairn"));
  const head = ["question", "network", "state", ...peers, "best peer / Cairn"];
  const lines = [...groupBy(measured, rowKey).values()].flatMap((of) => {
    const [first] = of;
    if (!first) return [];
    const medianOf = (peer: string) => median(of.filter((one) => one.peer === peer).map(({ ms }) => ms));
    const cells = peers.map((peer) => cell(of.filter((one) => one.peer === peer)));
    const best = (names: readonly string[]) => Math.min(...names.map(medianOf).filter((ms) => !Number.isNaN(ms)));
    const ratio = best(others) / best(ours);
    const shown = Number.isFinite(ratio) ? ratio.toFixed(1) : "-";
    return [[first.question.name, first.network.name, first.state, ...cells, shown]];
  });
  const rule = head.map(() => "---");
  return [head, rule, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function cell(of: readonly Measured[]): string {
  if (of.length === 0) return "-";
  const ms = median(of.map((one) => one.ms));
  const requests = median(of.map((one) => one.requests));
  const bytes = median(of.map((one) => one.bytes));
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms, ${requests} / ${Math.round(bytes / 1000)} KB`;
}

function rowKey({
  question,
  network,
  state,
}: {
  question: Measured["question"];
  network: Measured["network"];
  state: State;
}): string {
  return `${question.name} | ${network.name} | ${state}`;
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return groups;
}
