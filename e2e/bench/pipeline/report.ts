/**
 * Writes the pipeline's measurements as Markdown.
 * @module
 */
import { availableParallelism, cpus, totalmem } from "node:os";
import type { Taken } from "./process.ts";
import type { RunFloor } from "./run-floors.ts";

export interface Measured {
  readonly kind: "places" | "buildings";
  readonly rows: number;
  readonly sourceBytes: number;
  /** A plain copy of the source. */
  readonly floor: Taken;
  readonly build: Taken;
  /** `cairn verify` of the dataset; undefined if it failed. */
  readonly verification?: Taken | "not run" | undefined;
  readonly dataset: {
    readonly bytes: number;
    /** Unknown in older results. */
    readonly files?: number;
    readonly partitions: number;
    readonly manifestBytes: number;
    /** Rows of the runs that other programs read. */
    readonly runRows: Readonly<Partial<Record<RunFloor["run"], number>>>;
  };
  /** Measured floors of the runs that other programs read. */
  readonly runFloors: readonly RunFloor[];
  /** Load of the machine before the start, from other programs. */
  readonly loadBefore: number;
}

/** A section with the tables. */
export function reportOf(measured: readonly Measured[], memory: string): string {
  return [
    "Written by `npm run bench:pipeline`. Synthetic rows (`npm run synth`), each built from scratch, next to a plain",
    "`COPY (.. ORDER BY ..) TO` of DuckDB in the same run, with the same memory.",
    "",
    `Machine: ${machine()}; at most ${memory} each. Load is the load average before the build. Processor time`,
    "hardly depends on it, elapsed time does.",
    "",
    "Rows written are rows of the primary copy.",
    "",
    "| rows | load | build, s | rows/s | rows written | .. /s | .. / processor s | processor s | memory, GB | temp, GB | source, MB | dataset, MB | partitions | manifest, KB |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ...measured.map(buildLine),
    "",
    "`cairn verify` of the datasets, every file and row of each, with the same memory:",
    "",
    "| rows | passes | s | processor s | memory, GB |",
    "|---|---|---|---|---|",
    ...measured.map(verificationLine),
    "",
    "The baseline: a sorted copy of the source, and a sorted copy of each run of the dataset. Rows are loaded without order,",
    `then \`COPY (.. ORDER BY ..) TO\` one file.`,
    "",
    "| rows | what is copied | rows | file, MB | s | processor s | memory, GB |",
    "|---|---|---|---|---|---|---|",
    ...measured.flatMap(floorLines),
    "",
    "The build compared with it. A run that was not copied uses the time per row of the next smaller copied size.",
    "",
    "| rows | build / copy of the source, time | .. processor | build / copies of its runs, time | .. processor |",
    "|---|---|---|---|---|",
    ...measured.map((one) => ratioLine(one, measured)),
    ...modelLines(measured),
  ].join("\n");
}

export interface SampleSizes {
  readonly rows: number;
  readonly types: number;
  readonly sourceBytes: number;
  readonly bytes: number;
  readonly files: number;
}

/** The sizes table for the README. */
export function sizesTable(sample: SampleSizes, measured: readonly Measured[]): string {
  const megabytes = (bytes: number): string => `${fixed(bytes / 1e6, bytes < 1e8 ? 1 : 0)} MB`;
  const sizesOf = ({ sourceBytes, bytes, files }: Omit<SampleSizes, "rows" | "types">): string[] => [
    megabytes(sourceBytes),
    megabytes(bytes),
    count(files),
  ];
  return [
    "| | source | dataset | files |",
    "|---|---:|---:|---:|",
    line(`the sample, ${count(sample.rows)} rows of ${sample.types} types`, ...sizesOf(sample)),
    ...measured.flatMap(({ kind, rows, sourceBytes, dataset: { bytes, files } }) =>
      files === undefined ? [] : [line(`${count(rows)} synthetic ${kind}`, ...sizesOf({ sourceBytes, bytes, files }))],
    ),
  ].join("\n");
}

/** Approximate rows of a release of the planet. */
const PLANET_ROWS = { places: 81e6, buildings: 2534e6 } as const;

/** A model has an error only with more sizes than parameters. */
const LEAST_SIZES = 3;

const MODELLED = [
  { name: "processor hours", unit: 3600, measure: ({ build }: Measured) => build.processorSeconds },
  { name: "dataset, GB", unit: 1e9, measure: ({ dataset }: Measured) => dataset.bytes },
] as const;

function modelLines(measured: readonly Measured[]): string[] {
  const lines = (["places", "buildings"] as const).flatMap((kind) => {
    const ofKind = measured.filter((one) => one.kind === kind).toSorted((a, b) => a.rows - b.rows);
    if (ofKind.length < LEAST_SIZES) return [];
    return MODELLED.map(({ name, unit, measure }) => {
      const points = ofKind.map((one): Point => ({ rows: one.rows, value: measure(one) }));
      const { exponent, valueAt } = fitPower(points);
      const deviation = Math.max(...points.map(({ rows, value }) => Math.abs(valueAt(rows) / value - 1)));
      const [last, smaller] = [points.at(-1), fitPower(points.slice(0, -1))];
      const predicted = last ? Math.abs(smaller.valueAt(last.rows) / last.value - 1) : 0;
      const planet = PLANET_ROWS[kind];
      return line(
        `${kind}: ${name}`,
        fixed(exponent, 3),
        percent(deviation),
        percent(predicted),
        `${count(planet / 1e6)} million`,
        fixed(valueAt(planet) / unit, 0),
      );
    });
  });
  if (lines.length === 0) return [];
  return [
    "",
    "A model, not a measurement: *a* times rows to the power of *b*, fitted to the sizes above by least squares on logarithms. Its error is how far it is from them, and how far the",
    "largest is from the prediction of the smaller ones alone. A planet has many times the rows of the largest, and nobody has built it.",
    "",
    "| what | b | off by at most | error of the smaller ones' prediction of the largest | a planet's rows | by the model |",
    "|---|---|---|---|---|---|",
    ...lines,
  ];
}

interface Point {
  readonly rows: number;
  readonly value: number;
}

/** The power of the number of rows that best fits at least two points. */
function fitPower(points: readonly Point[]): { exponent: number; valueAt: (rows: number) => number } {
  const logs = points.map(({ rows, value }) => [Math.log(rows), Math.log(value)] as const);
  const [x, y] = [meanOf(logs.map(([log]) => log)), meanOf(logs.map(([, log]) => log))];
  const slope = meanOf(logs.map(([a, b]) => (a - x) * (b - y))) / meanOf(logs.map(([a]) => (a - x) ** 2));
  return { exponent: slope, valueAt: (rows) => Math.exp(y + slope * (Math.log(rows) - x)) };
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function percent(share: number): string {
  return `${fixed(100 * share, 1)} %`;
}

/** Describes the machine. */
export function machine(): string {
  const model = cpus()[0]?.model ?? "unknown processor";
  return `${availableParallelism()} cores (${model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
}

function buildLine({ kind, rows, build, sourceBytes, dataset, loadBefore }: Measured): string {
  const written = Object.values(dataset.runRows).reduce((sum, ofRun) => sum + ofRun, 0);
  return line(
    `${count(rows)} ${kind}`,
    fixed(loadBefore, 1),
    fixed(build.seconds, 0),
    count(Math.round(rows / build.seconds)),
    count(written),
    count(Math.round(written / build.seconds)),
    count(Math.round(written / build.processorSeconds)),
    fixed(build.processorSeconds, 0),
    fixed(build.memoryBytes / 1e9, 2),
    fixed(build.diskBytes / 1e9, 2),
    fixed(sourceBytes / 1e6, 0),
    fixed(dataset.bytes / 1e6, 0),
    count(dataset.partitions),
    fixed(dataset.manifestBytes / 1e3, 0),
  );
}

function verificationLine({ kind, rows, verification }: Measured): string {
  if (verification === "not run") return line(`${count(rows)} ${kind}`, verification, "-", "-", "-");
  const figures = verification
    ? [
        "yes",
        fixed(verification.seconds, 0),
        fixed(verification.processorSeconds, 0),
        fixed(verification.memoryBytes / 1e9, 2),
      ]
    : ["no", "-", "-", "-"];
  return line(`${count(rows)} ${kind}`, ...figures);
}

function floorLines({ kind, rows, floor, runFloors }: Measured): string[] {
  const source = { run: "source", rows, bytes: undefined, taken: floor };
  return [source, ...runFloors].map(({ run, rows: copied, bytes, taken }) =>
    line(
      `${count(rows)} ${kind}`,
      run,
      count(copied),
      bytes === undefined ? "-" : fixed(bytes / 1e6, 0),
      fixed(taken.seconds, 1),
      fixed(taken.processorSeconds, 1),
      fixed(taken.memoryBytes / 1e9, 2),
    ),
  );
}

function ratioLine(one: Measured, measured: readonly Measured[]): string {
  const { kind, rows, build, floor } = one;
  const units = ["seconds", "processorSeconds"] as const;
  const ofSource = units.map((unit) => fixed(build[unit] / floor[unit], 1));
  const ofRuns = units.map((unit) => {
    const seconds = runsFloor(one, measured, unit);
    return seconds === undefined ? "-" : fixed(build[unit] / seconds, 1);
  });
  return line(`${count(rows)} ${kind}`, ...ofSource, ...ofRuns);
}

/** Sum of the plain copies of all runs; undefined if one was not copied at this or a smaller size of the kind. */
function runsFloor(one: Measured, measured: readonly Measured[], unit: "seconds" | "processorSeconds") {
  const largestFirst = measured
    .filter(({ kind, rows }) => kind === one.kind && rows <= one.rows)
    .toSorted((a, b) => b.rows - a.rows);
  let sum = 0;
  for (const [run, rows] of Object.entries(one.dataset.runRows)) {
    const [copy] = largestFirst.flatMap(({ runFloors }) => runFloors.filter((floor) => floor.run === run));
    if (!copy) return undefined;
    sum += (copy.taken[unit] / copy.rows) * rows;
  }
  return sum;
}

function line(...cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function fixed(number: number, digits: number): string {
  return number.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function count(number: number): string {
  return number.toLocaleString("en");
}
