import type { BuildProgress, StageReport } from "../builder/dataset/index.ts";
import type { TableReport } from "../builder/tables/index.ts";
import { withBars } from "./bars.ts";
import { formatBytes, formatCount, formatTime } from "./figures.ts";

/** Bytes of one type of file that were received or sent so far, and in total. */
interface BytesProgress {
  readonly type: string;
  readonly bytes: number;
  readonly total: number;
}

interface TransferReport {
  readonly tell: (progress: BytesProgress) => void;
  /** Prints a line on stderr. */
  readonly say: (line: string) => void;
}

interface Begun {
  readonly start: number;
  readonly bytes: number;
}

/**
 * Runs `work` and returns its result. Reports its transfers on stderr: on a terminal one bar per type with bytes per
 * second and remaining time, otherwise one line for each finished type.
 */
export async function withTransfers<T>(
  verb: "fetched" | "sent",
  work: (report: TransferReport) => Promise<T>,
  now: () => number = Date.now,
): Promise<T> {
  const begun = new Map<string, Begun>();
  return withBars(async ({ areShown, draw, say }) =>
    work({
      say,
      tell: ({ type, bytes, total }) => {
        if (total === 0) return;
        const from = begun.get(type) ?? { start: now(), bytes };
        begun.set(type, from);
        const seconds = (now() - from.start) / 1000;
        const rate = (bytes - from.bytes) / Math.max(0.001, seconds);
        const size = `${formatBytes(bytes)} of ${formatBytes(total)}`;
        const text = `${type.padEnd(17)} ${size}, ${formatBytes(rate)}/s, ${timeLeft((total - bytes) / rate)} left`;
        draw(type, { done: bytes, total, text });
        if (!areShown && bytes === total && bytes > from.bytes)
          say(`cairn: ${type}: ${formatBytes(bytes - from.bytes)} ${verb}, ${formatTime(seconds)}`);
      },
    }),
  );
}

function timeLeft(seconds: number): string {
  return Number.isFinite(seconds) ? formatTime(Math.ceil(seconds)) : "unknown time";
}

interface BuildReporting {
  readonly onProgress: (progress: BuildProgress) => void;
  readonly onStage: (stage: StageReport) => void;
  readonly onWait: (message: string) => void;
  readonly onTable: (table: TableReport) => void;
}

/**
 * Runs `work`, a build, and returns its result. Reports the build on stderr: on a terminal one bar for its tasks,
 * otherwise one line for each finished stage.
 */
export async function withBuildProgress<T>(work: (reporting: BuildReporting) => Promise<T>): Promise<T> {
  return withBars(async ({ areShown, draw, say }) => {
    draw("build", { done: 0, total: 1, text: "reading the sources" });
    return work({
      onProgress: ({ stage, collection, done, total }) =>
        draw("build", { done, total, text: `${done}/${total} ${collection}: ${stage}` }),
      onStage: (stage) => {
        if (!areShown) say(`cairn: ${describeStage(stage)}`);
      },
      onWait: (message) => say(`cairn: ${message}`),
      onTable: (table) => {
        for (const line of tableLines(table)) say(line);
      },
    });
  });
}

function describeStage({ name, amount, noun, kept, milliseconds }: StageReport): string {
  const before = kept === 0 ? "" : `, ${kept === amount ? "all" : kept} of them reused`;
  return `${name}: ${formatCount(amount, noun)}${before}, ${formatTime(milliseconds / 1000)}`;
}

/**
 * Returns lines for people about a table that was read: rows, rejects by reason, coordinates, each column, and what
 * changed.
 */
export function tableLines(table: TableReport): string[] {
  const { name, file, format, crs, encoding, delimiter, geometryFrom, rows, rejected, reasons, idColumn } = table;
  const { columns, geocoded, changes, settings, notes } = table;
  const widths = [0, 1, 2].map((at) =>
    Math.max(...columns.map(({ column, type, role = "-" }) => [column, type, role][at]?.length ?? 0)),
  );
  const line = (...cells: string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd();
  const how = [format, crs, encoding, delimiter === undefined ? undefined : delimiterName(delimiter)];
  const found = Object.entries(geocoded ?? {}).map(([match, count]) => `${match} ${count}`);
  return [
    `${name}: ${rows + rejected} rows read of ${file} (${how.filter((one) => one !== undefined).join(", ")}), ${rows} taken, ${rejected} rejected`,
    ...reasons.map((one) => `  rejected: ${one.rows} ${one.reason}, ${describeLines(one)}`),
    ...(settings === undefined ? [] : [`  options: ${settings}`]),
    `  place: ${geometryFrom.join(", ")}; id: ${idColumn ?? "made from the row"}`,
    ...(found.length > 0 ? [`  addresses: ${found.join(", ")}`] : []),
    ...columns.map(({ column, type, role = "-", filter }) => `  ${line(column, type, role, filter)}`),
    ...changes.map((change) => `  ${change}`),
    ...notes.map((note) => `  ${note}`),
  ];
}

function delimiterName(delimiter: string): string {
  return delimiter === "\t" ? "tab" : `"${delimiter}"`;
}

function describeLines({ rows, lines }: TableReport["reasons"][number]): string {
  return `line${rows === 1 ? "" : "s"} ${lines.join(", ")}${rows > lines.length ? ", ..." : ""}`;
}
