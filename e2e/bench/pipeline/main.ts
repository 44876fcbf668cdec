/**
 * Builds datasets of several sizes from synthetic sources and compares each with the minimum (floor). Verifies them,
 * writes the results to `docs/benchmarks.md`, and their sizes to the README. Exits with 1 if a verification fails. The
 * runs of each kind's smallest size, or of the sizes in `--floors`, have their own floors if the disk has space. With
 * `--verify`, only those sizes are verified, and the document says so. Needs Linux, and about 5 KB of disk per row of
 * the largest size. `--keep` leaves sources and datasets in the folder. An interrupted run continues after the sizes in
 * the file of figures. A size may use an existing source, such as one from `npm run bench -- --growth`. `--help` lists
 * the options.
 * @module
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type CollectionName, OVERTURE_TYPES } from "../../../data/format/collections.ts";
import { parseManifest } from "../../../data/format/manifest-schema.ts";
import { filesBelow } from "../../../pipeline/base/disk/index.ts";
import { readManifest } from "../../../pipeline/builder/index/index.ts";
import { ensureDataset } from "../../../pipeline/cli/freshness.ts";
import { DATASET_FOLDER, SAMPLE_FOLDER } from "../../support/folders.ts";
import { readOptions } from "../../support/options.ts";
import { writeSection } from "../document.ts";
import { writeResult } from "../results.ts";
import { measureNode, sizeOfFolder } from "./process.ts";
import { type Measured, reportOf, type SampleSizes, sizesTable } from "./report.ts";
import { measureRunFloors, runsThatFit } from "./run-floors.ts";

const USAGE = `npm run bench:pipeline -- [--places 1000000,5000000,20000000] [--buildings 5000000] [--floors 1000000,5000000]
  [--verify 1000000,5000000] [--memory 4GB] [--folder <scratch>] [--keep] [--figures .cairn/bench-pipeline.json] [--source 20007319=<folder>]`;

const SECTION = { name: "pipeline", command: "npm run bench:pipeline" };

const README = "README.md";
const SIZES = { name: "sizes", command: "npm run bench:pipeline", heading: "## Build your own" };

const TSX = ["--import", "tsx"];
const CLI = [...TSX, "pipeline/cli/main.ts"];
const SYNTH = [...TSX, "e2e/bench/synth/main.ts"];

/** Runs with complete rows, which other programs read. */
const WHOLE_RUNS = ["location"] as const;

const { values, refuse } = readOptions({
  usage: USAGE,
  options: {
    places: { type: "string", default: "1000000,5000000,20000000" },
    buildings: { type: "string", default: "5000000" },
    floors: { type: "string", default: "" },
    verify: { type: "string", default: "" },
    memory: { type: "string", default: "4GB" },
    folder: { type: "string", default: tmpdir() },
    keep: { type: "boolean", default: false },
    figures: { type: "string" },
    source: { type: "string", multiple: true, default: [] },
  },
});

interface Size {
  readonly kind: Measured["kind"];
  readonly rows: number;
  /** True to measure a floor for each run. */
  readonly hasRunFloors: boolean;
  readonly isVerified: boolean;
}

function numbersOf(option: Measured["kind"] | "floors" | "verify"): number[] {
  const texts = values[option].split(",").filter((text) => text !== "");
  return texts.map((text) => {
    if (!/^[1-9]\d*$/.test(text))
      throw refuse(`--${option}: expected numbers of rows, such as 1000000,5000000, got ${text}`);
    return Number(text);
  });
}

function sizesOf(kind: Measured["kind"]): Size[] {
  const sizes = numbersOf(kind);
  const named = numbersOf("floors").filter((rows) => sizes.includes(rows));
  const copied = named.length > 0 ? named : [Math.min(...sizes)];
  const verified = values.verify === "" ? sizes : numbersOf("verify");
  return sizes.map((rows) => ({
    kind,
    rows,
    hasRunFloors: copied.includes(rows),
    isVerified: verified.includes(rows),
  }));
}

/** Folders by number of rows. */
const sources = new Map(
  values.source.map((text) => {
    const [, rows, folder] = /^([1-9]\d*)=(.+)$/.exec(text) ?? [];
    if (!folder) throw refuse(`--source: expected rows=folder, such as 20007319=.cairn/bench/source, got ${text}`);
    return [Number(rows), folder] as const;
  }),
);

async function measure({ kind, rows, hasRunFloors, isVerified }: Size, scratch: string): Promise<Measured> {
  const [made, dataset, temp, copy] = ["source", "dataset", "temp", "floor.parquet"].map((name) =>
    join(scratch, name),
  ) as [string, string, string, string];
  const source = sources.get(rows) ?? made;
  await mkdir(temp, { recursive: true });
  if (source === made) await measureNode([...SYNTH, source, `--${kind}`, String(rows)], source);
  const loadBefore = loadavg()[0] ?? 0;
  const floor = await measureNode(
    [...TSX, "e2e/bench/pipeline/floor.ts", rowsOf(source), copy, values.memory, temp],
    temp,
  );
  await rm(copy);
  const building = [...CLI, "build", source, "--out", dataset, "--memory", values.memory, "--temp", temp, "--no-keep"];
  const build = await measureNode(building, temp);
  const verifying = [...CLI, "verify", dataset, "--memory", values.memory, "--temp", temp];
  const verification = isVerified
    ? await measureNode(verifying, temp).catch((error: unknown) => failed(`${rows} ${kind}`, error))
    : ("not run" as const);
  const text = await readFile(join(dataset, "manifest.json"), "utf8");
  const [[name, collection] = []] = Object.entries(parseManifest(JSON.parse(text)).collections);
  if (!name || collection?.rows !== rows) throw new Error(`the dataset has ${collection?.rows} rows, expected ${rows}`);
  const runs = Object.values(collection.runs);
  const whole = WHOLE_RUNS.filter((run) => collection.runs[run] !== undefined);
  const floorOptions = {
    dataset,
    collection: name as CollectionName,
    runs: await runsThatFit(whole, collection.runs, temp),
    memory: values.memory,
    scratch: temp,
  };
  return {
    kind,
    rows,
    sourceBytes: await sizeOfFolder(source),
    floor,
    build,
    verification,
    dataset: {
      bytes: await sizeOfFolder(dataset),
      files: (await filesBelow(dataset)).length,
      partitions: runs.reduce((sum, run) => sum + (run?.partitions ?? 0), 0),
      manifestBytes: (await stat(join(dataset, "manifest.json"))).size,
      runRows: Object.fromEntries(whole.map((run) => [run, rowsBelow(collection.runs[run]?.nodes ?? [])])),
    },
    runFloors: hasRunFloors ? await measureRunFloors(floorOptions) : [],
    loadBefore,
  };
}

/** A fault does not stop the benchmark, because the build was measured. */
function failed(size: string, error: unknown): undefined {
  console.error(`${size}: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
  return undefined;
}

async function sizesOfSample(): Promise<SampleSizes> {
  await ensureDataset(SAMPLE_FOLDER, DATASET_FOLDER, "small");
  const { collections } = await readManifest(DATASET_FOLDER);
  const types = OVERTURE_TYPES.flatMap((type) => collections[type] ?? []);
  const sources = (await filesBelow(SAMPLE_FOLDER)).filter((path) => path.endsWith(".parquet"));
  const sizes = await Promise.all(sources.map((path) => stat(join(SAMPLE_FOLDER, path))));
  return {
    rows: rowsBelow(types),
    types: types.length,
    sourceBytes: sizes.reduce((sum, { size }) => sum + size, 0),
    bytes: await sizeOfFolder(DATASET_FOLDER),
    files: (await filesBelow(DATASET_FOLDER)).length,
  };
}

function isOfSize(one: Measured, { kind, rows }: Pick<Size, "kind" | "rows">): boolean {
  return one.kind === kind && one.rows === rows;
}

function rowsBelow(nodes: readonly { readonly rows: number }[]): number {
  return nodes.reduce((sum, node) => sum + node.rows, 0);
}

function rowsOf(source: string): string {
  return `FROM read_parquet('${source}/**/*.parquet', hive_partitioning = false) ORDER BY id`;
}

/** Results of an earlier run. */
async function readFigures(): Promise<Measured[]> {
  if (values.figures === undefined || !existsSync(values.figures)) return [];
  return JSON.parse(await readFile(values.figures, "utf8")) as Measured[];
}

async function measureInScratch(size: Size): Promise<Measured> {
  const { kind, rows } = size;
  await mkdir(values.folder, { recursive: true });
  const scratch = await mkdtemp(join(values.folder, `cairn-bench-${kind}-${rows}-`));
  try {
    const one = await measure(size, scratch);
    console.log(`${rows} ${kind}: ${one.build.seconds.toFixed(1)} s, floor ${one.floor.seconds.toFixed(1)} s`);
    return one;
  } finally {
    if (values.keep) console.log(`kept in ${scratch}`);
    else await rm(scratch, { recursive: true, force: true });
  }
}

const sizes = [...sizesOf("places"), ...sizesOf("buildings")];
for (const option of ["floors", "verify"] as const) {
  const stray = numbersOf(option).find((named) => sizes.every(({ rows }) => rows !== named));
  if (stray !== undefined) throw refuse(`--${option}: expected sizes of --places or --buildings, got ${stray}`);
}
const before = await readFigures();
const measured: Measured[] = [];
for (const size of sizes) {
  const known = before.find((one) => isOfSize(one, size));
  measured.push(known ?? (await measureInScratch(size)));
  // Results are saved as they come, so that an interrupted run loses nothing.
  const kept = [...measured, ...before.filter((other) => !measured.some((one) => isOfSize(one, other)))];
  if (values.figures !== undefined) await writeFile(values.figures, JSON.stringify(kept));
  await writeResult(SECTION, reportOf(measured, values.memory));
}
await writeSection(README, SIZES, sizesTable(await sizesOfSample(), measured));
