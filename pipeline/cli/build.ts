import { existsSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { REJECTS_PATH } from "../../data/format/paths.ts";
import type { BuildReport } from "../build/index.ts";
import { FOLDERS } from "../map/index.ts";
import {
  AREA_WANTED,
  type AreaArguments,
  addAreaOptions,
  addReleaseOptions,
  askedArea,
  hasArea,
  lacking,
  mapHere,
  parseCount,
  parsed,
  parseFolder,
  parseShare,
  type ReleaseArguments,
} from "./options.ts";
import { addJsonOption, type JsonArguments, type Output, openOutput } from "./output.ts";
import { asUsage, UsageError } from "./usage.ts";

const EXECUTORS = ["local", "slurm", "spark"] as const;

/** Stands for a release of Overture where sources are named. */
const OVERTURE = "overture";

interface BuildArguments extends AreaArguments, ReleaseArguments, JsonArguments {
  readonly executor: (typeof EXECUTORS)[number];
  readonly workers: number;
  readonly sparkMaster?: string;
  readonly sparkConf: readonly string[];
  readonly threads?: number;
  readonly taskRows?: number;
  readonly out?: string;
  readonly release?: string;
  readonly memory?: string;
  readonly temp?: string;
  readonly scratch?: string;
  readonly packSize?: string;
  readonly level: "fast" | "small";
  readonly mostRejects?: number;
  readonly allowEmpty?: boolean;
  readonly keep: boolean;
}

export function registerBuild(program: Command): void {
  const command = program
    .command("build")
    .summary("build a dataset from source files, or from an area of a release")
    .description(
      "Builds a dataset from GeoParquet (.parquet) and GeoJSON (.geojson, .json, .geojsonl, .ndjson, .jsonl) in Overture's " +
        "schema. A file's type is its type=<type> folder, else its constant type column, else its name. Folders may be whole " +
        "releases as Overture lays them out. GeoParquet at s3:// and https:// is read where DuckDB's httpfs is available. " +
        "The word overture stands for a release of Overture Maps: its area is fetched, as cairn get does, then built.",
    )
    .argument("[source...]", "files, folders, @list: a file with a path on each line; or overture")
    .option(
      "--out <dataset>",
      "folder of the dataset; an older one is replaced when the build is whole",
      parsed(parseFolder),
    )
    .option("--release <name>", "name of the release; the sources', else made from the content, when left out");
  addJsonOption(command);
  addAreaOptions(command.optionsGroup("Which rows:"));
  addReleaseOptions(command.optionsGroup("Where a release is fetched from (source overture):"));
  command
    .optionsGroup("What the build may take:")
    .option("--memory <size>", "most memory to take, such as 4GB; a quarter of the machine's when left out")
    .option("--threads <n>", "processors of each task; the machine's, shared, when left out", parseCount)
    .option("--temp <folder>", "folder for checkpoints and for what is being sorted; <dataset>.build when left out")
    .option(
      "--scratch <folder>",
      "folder of each machine's own disk for what is sorted and not finished, such as '$TMPDIR'; in --temp when left out",
    )
    .option(
      "--task-rows <n>",
      "rows that a task sorts, or about as many; the dataset does not depend on it",
      parseCount,
    )
    .optionsGroup("Which processes build:")
    .addOption(new Option("--executor <name>", "who carries out the tasks").choices(EXECUTORS).default("local"))
    .option("--workers <n>", "local: processes at a time, which share the memory", parseCount, 1)
    .option("--spark-master <url>", "spark: such as spark://host:7077 or yarn; as Spark is configured when left out")
    .option("--spark-conf <name=value>", "spark: a setting of spark-submit; as often as wanted", parseConf, [])
    .optionsGroup("What the dataset is like:")
    .option(
      "--pack-size <size>",
      "largest size of a file, about, such as 4MB; 0 for one for each slice; 4MB when left out",
    )
    .addOption(
      new Option("--level <name>", "how hard the files are compressed: fast for local use, small for releases")
        .choices(["fast", "small"])
        .default("small"),
    )
    .optionsGroup("When the build stops:")
    .option(
      "--most-rejects <share>",
      "share of a collection's records that may be rejected, such as 5%, before the build stops; 1% when left out",
      parseShare,
    )
    .option(
      "--allow-empty",
      "build also an empty dataset, and where a collection of the dataset in place would be left without rows",
    )
    .optionsGroup("Checkpoints:")
    .option("--force", "redo everything, whatever earlier builds left")
    .option("--no-keep", "remove the checkpoints when the build is whole")
    .addHelpText(
      "after",
      "\nExample:\n  cairn build data/sample --out .cairn/dataset\n  cairn build overture --bbox 7.40,43.72,7.44,43.76 --out monaco\n  cairn build /shared/overture --out /shared/dataset --executor slurm --memory 16GB",
    )
    .action(async (given: string[], options: BuildArguments) => {
      const isMap = given.length === 0 && options.out === undefined;
      if (isMap) await mapHere(command, "source");
      else if (given.length === 0) lacking(command, "source");
      const { out = isMap ? FOLDERS.dataset : lacking(command, "--out <dataset>") } = options;
      const sources = isMap ? [FOLDERS.extract] : given;
      refuseSparkOptions(options);
      refuseMixedSources(sources, options);
      const { parseMemory, parsePackSize } = await import("../database/index.ts");
      const { memory, packSize } = options;
      const memoryBytes = memory === undefined ? undefined : asUsage(() => parseMemory(memory));
      const packBytes = packSize === undefined ? undefined : asUsage(() => parsePackSize(packSize));
      const { buildDataset } = await import("../build/index.ts");
      const { withBuildProgress } = await import("./progress.ts");
      const output = openOutput(options);
      const inputs = await inputsOf(sources, { out, options, output });
      const { threads, temp, scratch, taskRows, level, mostRejects, allowEmpty, force, keep } = options;
      const executor = await makeExecutor(options);
      const report = await withBuildProgress((reporting) =>
        buildDataset({
          ...inputs,
          ...{ out, threads, temp, scratch, taskRows, level, mostRejects, allowEmpty, force, keep, executor },
          ...{ memoryBytes, packBytes },
          ...reporting,
        }),
      );
      for (const line of tellBuild(report)) output.say(line);
      output.result(jsonOfBuild(out, report));
    });
}

/** A line for the dataset, and for what of the sources is not in it. */
export function tellBuild({ release, rows, partitions, bytes, rejected, reasons, collections }: BuildReport): string[] {
  const why = Object.entries(reasons).map(([reason, count]) => `${count} ${reason}`);
  return [
    `release ${release}: ${rows} rows in ${partitions} partitions, ${bytes} bytes, ${rejected} rejected`,
    ...(why.length > 0 ? [`rejected: ${why.join(", ")}; ${REJECTS_PATH} lists them`] : []),
    ...collections.flatMap(({ name, ignoredColumns }) =>
      ignoredColumns.length > 0 ? [`${name}: ignored columns: ${ignoredColumns.join(", ")}`] : [],
    ),
  ];
}

/** Members are called as in the manifest. */
function jsonOfBuild(dataset: string, report: BuildReport): object {
  const { release, rows, partitions, bytes, rejected, reasons, collections } = report;
  return {
    ...{ dataset, release, rows, partitions, bytes },
    rejects: { rows: rejected, reasons },
    collections: Object.fromEntries(
      collections.map(({ name, rows, ignoredColumns }) => [name, { rows, ignored_columns: ignoredColumns }]),
    ),
  };
}

function isOverture(sources: readonly string[]): boolean {
  return sources.includes(OVERTURE) && !existsSync(OVERTURE);
}

function refuseMixedSources(sources: readonly string[], { from, ...options }: BuildArguments): void {
  if (!isOverture(sources)) {
    if (from !== undefined) throw new UsageError(`--from is for the source ${OVERTURE}, got ${sources.join(" ")}`);
    return;
  }
  if (sources.length > 1) throw new UsageError(`${OVERTURE} is built alone, got ${sources.join(" ")}`);
  if (!hasArea(options)) throw new UsageError(AREA_WANTED);
}

interface Wanted {
  readonly out: string;
  readonly options: BuildArguments;
  readonly output: Output;
}

/** What is built: files with a filter, or what was fetched of a release. */
async function inputsOf(sources: string[], { out, options, output }: Wanted) {
  const { types, release, from, connections, force } = options;
  const area = await askedArea(options);
  if (!area || !isOverture(sources)) return { sources, area, types, release };
  const { fetchRelease } = await import("./fetch-release.ts");
  const folder = `${out.replace(/[\\/]+$/, "")}.overture`;
  await fetchRelease({
    ...{ area, types, release, from, connections, force },
    out: folder,
    isReplacing: true,
    // one result is printed, that of the build
    output: { ...output, result: () => undefined },
  });
  return { sources: [folder], wantedTypes: types, release };
}

function refuseSparkOptions({ executor, sparkMaster, sparkConf }: BuildArguments): void {
  if (executor !== "spark" && (sparkMaster !== undefined || sparkConf.length > 0))
    throw new UsageError("--spark-master and --spark-conf are for --executor spark");
}

async function makeExecutor({ executor, workers, sparkMaster, sparkConf }: BuildArguments) {
  const { processExecutor, slurmExecutor, sparkExecutor } = await import("../execute/index.ts");
  if (executor === "spark") return sparkExecutor({ master: sparkMaster, conf: sparkConf });
  if (executor === "slurm") return slurmExecutor();
  return workers > 1 ? processExecutor({ workers }) : undefined;
}

function parseConf(text: string, before: readonly string[]): readonly string[] {
  if (!/^[\w.-]+=/.test(text)) throw new InvalidArgumentError("Expected a setting such as spark.yarn.queue=maps.");
  return [...before, text];
}
