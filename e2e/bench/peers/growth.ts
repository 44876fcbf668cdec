/**
 * How requests, bytes and time grow: with the dataset for an answer that stays, and with the answer.
 * @module
 */
import type { Failed, Measured } from "./measure.ts";
import { type Panel, type PlotTitles, plot } from "./plot.ts";
import type { PeerName, Question } from "./question.ts";
import { groupBy, markdownTable, median, shownMs } from "./statistics.ts";

/** Those with an index; what reads everything needs no plot. */
export const GROWING_PEERS: readonly PeerName[] = ["cairn-scan", "flatgeobuf", "hyparquet", "duckdb-copy"];
/** Answers of the largest dataset, in rows. */
export const ANSWER_LIMITS = [25, 100, 1000, 5000, 25_000] as const;

/** Measured at a size: rows of the dataset, or of the answer. */
export interface Sized {
  readonly size: number;
  readonly result: Measured | Failed;
}

/** A street's surroundings in the dense city, which the smallest dataset has too. */
export function fixedQuestion(dense: { readonly lon: number; readonly lat: number }): Question {
  return { kind: "circle", name: "1km dense, limit 25", ...dense, radiusMeters: 1000, limit: 25, page: 0 };
}

/** As many rows as the page holds, from a circle that has more. */
export function growingQuestion(dense: { readonly lon: number; readonly lat: number }, limit: number): Question {
  return { kind: "circle", name: `50km dense, limit ${limit}`, ...dense, radiusMeters: 50_000, limit, page: 0 };
}

/** A sentence on whether all sizes gave the same page of records: where they did not, the lines compare different work. */
export function sameness(sized: readonly Sized[]): string {
  const answers = new Set(sized.flatMap(({ result }) => ("ids" in result ? [result.ids.join(" ")] : [])));
  return answers.size === 1 ? "All gave the same records." : `There were ${answers.size} different pages of records.`;
}

interface Point {
  readonly peer: PeerName;
  readonly size: number;
  readonly requests: number;
  readonly bytes: number;
  readonly ms: number;
}

/** Medians by peer and size; what failed is left out. */
function pointsOf(sized: readonly Sized[]): Point[] {
  return [...groupBy(sized, ({ size, result }) => `${result.peer} ${size}`).values()].flatMap((of) => {
    const measured = of.flatMap(({ result }) => ("ms" in result ? [result] : []));
    const [first] = measured;
    const size = of[0]?.size;
    if (!first || size === undefined) return [];
    const middle = (value: (one: Measured) => number) => median(measured.map(value));
    return [
      {
        peer: first.peer,
        size,
        requests: middle(({ requests }) => requests),
        bytes: middle(({ bytes }) => bytes),
        ms: middle(({ ms }) => ms),
      },
    ];
  });
}

/** Panels of requests, kilobytes and milliseconds. */
export function growthPlot(sized: readonly Sized[], titles: PlotTitles): string {
  const points = pointsOf(sized);
  const panel = (title: string, value: (point: Point) => number): Panel => {
    // one that failed has no points, so that the others look the same in every plot
    const lines = GROWING_PEERS.map((name) => {
      const of = points.filter(({ peer }) => peer === name).toSorted((a, b) => a.size - b.size);
      return [name, of.map((point) => [point.size, value(point)] as const)] as const;
    });
    return { title, lines: Object.fromEntries(lines) };
  };
  const panels = [
    panel("requests", ({ requests }) => requests),
    panel("kilobytes", ({ bytes }) => bytes / 1000),
    panel("milliseconds", ({ ms }) => ms),
  ];
  return plot(panels, titles);
}

/** The same as a table, a line for each size. */
export function growthTable(sized: readonly Sized[], title: string): string {
  const points = pointsOf(sized);
  const peers = [...new Set(points.map(({ peer }) => peer))];
  const lines = [...groupBy(points, ({ size }) => String(size)).values()].map((of) => {
    const cells = peers.map((name) => {
      const point = of.find(({ peer }) => peer === name);
      return point
        ? `${shownMs(point.ms)}, ${point.requests} / ${Math.round(point.bytes / 1000).toLocaleString("en")} KB`
        : "-";
    });
    return [(of[0]?.size ?? 0).toLocaleString("en"), ...cells];
  });
  return markdownTable([title, ...peers], lines);
}
