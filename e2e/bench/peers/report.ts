/**
 * Writes medians as Markdown: a table for each kind of question, and the rows where Cairn is slower.
 * @module
 */
import { type Failed, isNotAsked, type Measured } from "./measure.ts";
import { type Kind, PEER_NAMES, type PeerName } from "./question.ts";
import { groupBy, markdownTable, median, shownMs } from "./statistics.ts";

export type Result = Measured | Failed;

const TITLES: Readonly<Record<Kind, string>> = {
  circle: "Places around a point",
  filter: "Places of a category around a point",
  country: "Places of a country",
  name: "Places by name",
  export: "Exports",
};

/** Failures that fit a cell. All are listed below the tables. */
const FAILURES = /^(over \d+ s|not asked)/;

const isAnswered = (result: Result): result is Measured => "ms" in result;
const isOurs = (peer: PeerName): boolean => peer.startsWith("cairn");
const keyOf = ({ question, network, state }: Result): string => `${question.name} | ${network.name} | ${state}`;
const answerOf = ({ ids, total }: Measured): string => `${total} ${ids.join(" ")}`;

/** Results of one peer in one row of the table. */
interface Summary {
  readonly peer: PeerName;
  readonly cell: string;
  /** Undefined if it failed, or if its answer differs from Cairn's. */
  readonly ms: number | undefined;
}

interface Row {
  readonly of: readonly [string, string, string];
  readonly kind: Kind;
  readonly summaries: readonly Summary[];
  readonly ours: Summary | undefined;
  readonly best: Summary | undefined;
}

/** Answers that differ from Cairn's, and answers of Cairn that differ from each other, one line each. */
export function disagreements(results: readonly Result[]): string[] {
  return [...groupBy(results.filter(isAnswered), keyOf)].flatMap(([key, of]) => {
    const answers = [...groupBy(of, answerOf)];
    if (answers.length <= 1) return [];
    const differing = answers.map(([, by]) => {
      const peers = [...new Set(by.map(({ peer }) => peer))].join(", ");
      const [first] = by;
      return `${peers}: ${first?.total} in all, on the page ${first?.ids.length} from ${first?.ids[0]}`;
    });
    return [`${key}: ${differing.join("; ")}`];
  });
}

/** True if Cairn gives the same answer in every run. */
export function isCairnOneMind(results: readonly Result[]): boolean {
  return disagreements(results.filter(({ peer }) => isOurs(peer))).length === 0;
}

/** How often peers were asked, as text from minimum to maximum, without skipped questions. */
export function timesAsked(results: readonly Result[]): string {
  const tried = results.filter((result) => isAnswered(result) || !isNotAsked(result));
  const times = [...groupBy(tried, (result) => `${result.peer} ${keyOf(result)}`).values()].map(({ length }) => length);
  const [least, most] = [Math.min(...times), Math.max(...times)];
  return `${least === most ? "" : `${least} to `}${most} ${most === 1 ? "measurement" : "measurements"}`;
}

/** The tables, then the rows where a peer is faster, then failures. */
export function reportOf(results: readonly Result[]): string {
  const rows = [...groupBy(results, keyOf).values()].flatMap(rowOf);
  const tables = [...groupBy(rows, ({ kind }) => kind)].flatMap(([kind, of]) => {
    return [`### ${TITLES[kind as Kind]}`, "", tableOf(of), ""];
  });
  return [...tables, "### Where Cairn is not ahead", "", ...behind(rows), ...failures(results)].join("\n");
}

function tableOf(rows: readonly Row[]): string {
  const peers = PEER_NAMES.filter((name) => rows.some(({ summaries }) => summaries.some(({ peer }) => peer === name)));
  const lines = rows.map(({ of, summaries, ours, best }) => {
    const cells = peers.map((name) => summaries.find(({ peer }) => peer === name)?.cell ?? "-");
    const ratio = ours?.ms !== undefined && best?.ms !== undefined ? (best.ms / ours.ms).toFixed(1) : "-";
    return [...of, ...cells, ratio];
  });
  return markdownTable(["question", "network", "state", ...peers, "best peer / Cairn"], lines);
}

function rowOf(of: readonly Result[]): Row[] {
  const [first] = of;
  if (!first) return [];
  const cairn = of.find((result): result is Measured => isAnswered(result) && isOurs(result.peer));
  const right = cairn && answerOf(cairn);
  const summaries = [...groupBy(of, ({ peer }) => peer).values()].flatMap((results) => summaryOf(results, right));
  const fastest = (some: readonly Summary[]) => {
    return some.filter(({ ms }) => ms !== undefined).sort((a, b) => (a.ms ?? 0) - (b.ms ?? 0))[0];
  };
  return [
    {
      of: [first.question.name, first.network.name, first.state],
      kind: first.question.kind,
      summaries,
      ours: fastest(summaries.filter(({ peer }) => isOurs(peer))),
      best: fastest(summaries.filter(({ peer }) => !isOurs(peer))),
    },
  ];
}

function summaryOf(results: readonly Result[], right: string | undefined): Summary[] {
  const [first] = results;
  if (!first) return [];
  const { peer } = first;
  const answered = results.filter(isAnswered);
  const failed = results.find((result): result is Failed => {
    return !isAnswered(result) && !(answered.length > 0 && isNotAsked(result));
  });
  if (failed) return [{ peer, cell: FAILURES.exec(failed.failure)?.[0] ?? "failed", ms: undefined }];
  const middle = (value: (one: Measured) => number) => median(answered.map(value));
  const ms = middle((one) => one.ms);
  const kilobytes = Math.round(middle(({ bytes }) => bytes) / 1000).toLocaleString("en");
  const sent = `${middle(({ requests }) => requests)} / ${kilobytes} KB / ${middle(({ roundTrips }) => roundTrips)}`;
  const isRight = answered.every((one) => right === undefined || answerOf(one) === right);
  return [{ peer, cell: `${shownMs(ms)}, ${sent}${isRight ? "" : ", other answer"}`, ms: isRight ? ms : undefined }];
}

function behind(rows: readonly Row[]): string[] {
  const lost = rows.flatMap(({ of, ours, best }) => {
    if (ours?.ms === undefined || best?.ms === undefined || ours.ms <= best.ms) return [];
    return [`- ${of.join(", ")}: ${ours.peer} ${shownMs(ours.ms)}, ${best.peer} ${shownMs(best.ms)}`];
  });
  return lost.length > 0 ? lost : ["Nowhere in what was measured."];
}

function failures(results: readonly Result[]): string[] {
  const failed = results.filter((result): result is Failed => !isAnswered(result));
  if (failed.length === 0) return [];
  const lines = [...groupBy(failed, ({ peer, failure }) => `${peer}: ${failure}`)].map(([what, of]) => {
    const cells = [...new Set(of.map(keyOf))];
    return `- ${what} (${cells.length} of the rows above, as ${cells[0]?.replaceAll(" | ", ", ")})`;
  });
  return ["", "### Not answered", "", ...lines];
}
