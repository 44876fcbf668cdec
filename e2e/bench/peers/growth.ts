/**
 * Measures how requests, bytes and time grow with the dataset, for a constant answer, and with the answer.
 * @module
 */
import type { Failed, Measured } from "./measure.ts";
import { type Panel, type PlotTitles, plot } from "./plot.ts";
import type { PeerName, Question } from "./question.ts";
import { groupBy, markdownTable, median, shownMs } from "./statistics.ts";

/** Peers with an index. Those that read everything need no plot. */
export const GROWING_PEERS: readonly PeerName[] = ["cairn-scan", "flatgeobuf", "hyparquet", "duckdb-copy"];
/** Rows of answers from the largest dataset. */
export const ANSWER_LIMITS = [25, 100, 1000, 5000, 25_000] as const;

/** Measured at a size: rows of the dataset or the answer. */
export interface Sized {
  readonly size: number;
  readonly result: Measured | Failed;
}

/** The area around a street in the dense city, which the smallest dataset also has. */
export function fixedQuestion(dense: { readonly lon: number; readonly lat: number }): Question {
  return { kind: "circle", name: "1km dense, limit 25", ...dense, radiusMeters: 1000, limit: 25, page: 0 };
}

/** As many rows as the page has, from a circle with more. */
export function growingQuestion(dense: { readonly lon: number; readonly lat: number }, limit: number): Question {
  return { kind: "circle", name: `50km dense, limit ${limit}`, ...dense, radiusMeters: 50_000, limit, page: 0 };
}

/** A sentence on whether all sizes gave the same page of records. If not, the lines compare different work. */
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

/** Medians by peer and size, without failures. */
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
    // A failed peer has an empty line, so that the others have the same style in every plot.
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

/** The same data as a table, one line per size. */
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
