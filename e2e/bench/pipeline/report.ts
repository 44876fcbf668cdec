/**
 * What a measurement of the pipeline says, as Markdown.
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
  /** `cairn verify` of the dataset; undefined when it did not pass. */
  readonly verification?: Taken | undefined;
  readonly dataset: {
    readonly bytes: number;
    readonly partitions: number;
    readonly manifestBytes: number;
    /** Rows of the runs that other programs read. */
    readonly runRows: Readonly<Partial<Record<RunFloor["run"], number>>>;
  };
  /** Of the runs that other programs read; those that were measured. */
  readonly runFloors: readonly RunFloor[];
  /** Load of the machine before it began: other programs' processes that wanted a processor. */
  readonly loadBefore: number;
}

/** Rows of the release of 2026-09-23; "buildings" stands for all that is not a place. */
const PLANET_ROWS = { places: 81_455_425, buildings: 4_250_000_000 } as const;

const MACHINE_CORES = 64;

/** Part of its cores that a build keeps busy on such a machine: judged, since none was at hand. */
const BUSY_PART = 0.7;

/** In fewer rows what each partition costs, however few it holds, weighs more than the rows. */
const TELLING_ROWS = 1_000_000;

/** A rented machine of 64 cores with NVMe on demand, dollars: what large providers asked in 2026, within a third. */
const DOLLARS_PER_HOUR = 3.5;

const SECONDS_PER_HOUR = 3600;

/** A section with the tables and what they mean for the planet. */
export function reportOf(measured: readonly Measured[], memory: string): string {
  return [
    "Written by `npm run bench:pipeline`. Synthetic rows (`npm run synth`), each build from nothing, beside plain",
    "`COPY (.. ORDER BY ..) TO` of DuckDB in the same run, all with the same memory.",
    "",
    `Machine: ${machine()}; at most ${memory} each. Load is that of other programs before the build began; the processor time`,
    "of a program hardly depends on them, its time does.",
    "",
    "Rows written are those of the primary copy.",
    "",
    "| rows | load | build, s | rows/s | rows written | .. /s | .. / processor s | processor s | memory, GB | temp, GB | source, MB | dataset, MB | partitions | manifest, KB |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ...measured.map(buildLine),
    "",
    "`cairn verify` of each dataset, every file and row of it, with the same memory:",
    "",
    "| rows | passes | s | processor s | memory, GB |",
    "|---|---|---|---|---|",
    ...measured.map(verificationLine),
    "",
    "The floor: the source as a plain copy, sorted once, and each run of the dataset as one: its rows as they are there, loaded in no order,",
    `then \`COPY (.. ORDER BY ..) TO\` one file.`,
    "",
    "| rows | what is copied | rows | file, MB | s | processor s | memory, GB |",
    "|---|---|---|---|---|---|---|",
    ...measured.flatMap(floorLines),
    "",
    "The build beside it. Where a run was not copied by itself, its copy is that of the next smaller size of which it was, by rows: sorting more rows costs no less for each.",
    "",
    "| rows | build / copy of the source, time | .. processor | build / copies of its runs, time | .. processor |",
    "|---|---|---|---|---|",
    ...measured.map((one) => ratioLine(one, measured)),
    "",
    ...planet(measured),
  ].join("\n");
}

function machine(): string {
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

/** What all runs take as plain copies; undefined when one of them was copied at no size of the kind that is as large or smaller. */
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

/** Processor time grows with the rows, so it is what carries over to another machine. */
function planet(measured: readonly Measured[]): string[] {
  const largest = (kind: Measured["kind"]): Measured | undefined =>
    measured.filter((one) => one.kind === kind).sort((a, b) => b.rows - a.rows)[0];
  const [places, buildings] = [largest("places"), largest("buildings") ?? largest("places")];
  if (!places || !buildings) return [];
  const coreHours = (one: Measured, rows: number): number =>
    ((one.build.processorSeconds / one.rows) * rows) / SECONDS_PER_HOUR;
  const all = coreHours(places, PLANET_ROWS.places) + coreHours(buildings, PLANET_ROWS.buildings);
  const hours = all / MACHINE_CORES / BUSY_PART;
  const dataset = (buildings.dataset.bytes / buildings.rows) * PLANET_ROWS.buildings;
  const isSmall = Math.min(places.rows, buildings.rows) < TELLING_ROWS;
  const caution = `Measured on fewer than ${count(TELLING_ROWS)} rows: partitions are small there and each has a price, so rows cost more than in a large build.`;
  return [
    ...(isSmall ? [caution] : []),
    `For the planet, estimated: ${count(PLANET_ROWS.places)} places at the processor time of the ${count(places.rows)} ${places.kind} above and`,
    `${count(PLANET_ROWS.buildings)} other rows at that of the ${count(buildings.rows)} ${buildings.kind} are ${count(Math.round(all))} core hours and about ${fixed(dataset / 1e12, 1)} TB of dataset.`,
    `One machine of ${MACHINE_CORES} cores that keeps ${BUSY_PART * 100} % of them busy needs ${fixed(hours, 1)} hours: ${fixed(hours * DOLLARS_PER_HOUR, 0)} dollars at ${DOLLARS_PER_HOUR} an hour.`,
    `On the distributed engine the core hours and so the money are the same, plus what idle nodes cost at the end of each stage; eight nodes of`,
    `${MACHINE_CORES} cores would take ${fixed((hours / 8) * 60, 0)} minutes. Neither was tried: no such machine was at hand.`,
  ];
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
