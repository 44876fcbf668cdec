import { existsSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Executor } from "../execute/index.ts";
import { FOLDERS } from "../map/index.ts";
import {
  AREA_WANTED,
  type AreaArguments,
  addAreaOptions,
  addReleaseOptions,
  askedArea,
  lacking,
  mapHere,
  parseCount,
  parseShare,
  type ReleaseArguments,
} from "./options.ts";

const EXECUTORS = ["local", "slurm", "spark"] as const;

/** Stands for a release of Overture where sources are named. */
const OVERTURE = "overture";

interface BuildArguments extends AreaArguments, ReleaseArguments {
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
        "releases as Overture lays them out. GeoParquet at s3:// and https:// is read where DuckDB's httpfs can be had. " +
        "The word overture stands for a release of Overture Maps: its area is fetched, as cairn get does, then built.",
    )
    .argument("[source...]", "files, folders, @list: a file with a path on each line; or overture")
    .option("--out <dataset>", "folder of the dataset; an older one is replaced when the build is whole");
  addReleaseOptions(addAreaOptions(command))
    .option("--release <name>", "name of the release; the sources', else made from the content, when left out")
    .option("--memory <size>", "most memory to take, such as 4GB; a quarter of the machine's when left out")
    .option("--temp <folder>", "folder for checkpoints and for what is being sorted; <dataset>.build when left out")
    .option(
      "--scratch <folder>",
      "folder of each machine's own disk for what is sorted and not finished, such as '$TMPDIR'; in --temp when left out",
    )
    .addOption(
      new Option("--level <name>", "how hard the files are compressed: fast for local use, small for releases")
        .choices(["fast", "small"])
        .default("small"),
    )
    .addOption(new Option("--executor <name>", "who builds").choices(EXECUTORS).default("local"))
    .option("--workers <n>", "local: processes at a time, which share the memory", parseCount, 1)
    .option("--spark-master <url>", "spark: such as spark://host:7077 or yarn; as Spark is configured when left out")
    .option("--spark-conf <name=value>", "spark: a setting of spark-submit; as often as wanted", parseConf, [])
    .option("--threads <n>", "processors of each task; the machine's, shared, when left out", parseCount)
    .option(
      "--task-rows <n>",
      "rows that a task sorts, or about as many; the dataset does not depend on it",
      parseCount,
    )
    .option(
      "--pack-size <size>",
      "largest size of a file, about, such as 4MB; 0 for one for each slice; 4MB when left out",
    )
    .option(
      "--most-rejects <share>",
      "share of a collection's records that may be rejected, such as 5%, before the build stops; 1% when left out",
      parseShare,
    )
    .option("--allow-empty", "build also where a collection of the dataset in place would be left without rows")
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
      const { buildDataset } = await import("../build/index.ts");
      const { parseMemory, parsePackSize } = await import("../database/index.ts");
      const { withBuildProgress } = await import("./progress.ts");
      const { memory, packSize } = options;
      const inputs = await inputsOf(sources, out, options);
      const { threads, temp, scratch, taskRows, level, mostRejects, allowEmpty, force, keep } = options;
      const executor = await makeExecutor(command, options);
      const report = await withBuildProgress((reporting) =>
        buildDataset({
          ...inputs,
          ...{ out, threads, temp, scratch, taskRows, level, mostRejects, allowEmpty, force, keep, executor },
          memoryBytes: memory === undefined ? undefined : parseMemory(memory),
          packBytes: packSize === undefined ? undefined : parsePackSize(packSize),
          ...reporting,
        }),
      );
      const size = `${report.rows} rows in ${report.partitions} partitions, ${report.bytes} bytes`;
      console.log(`release ${report.release}: ${size}, ${report.rejected} rejected`);
    });
}

/** What is built: files with a filter, or what was fetched of a release. */
async function inputsOf(sources: string[], out: string, options: BuildArguments) {
  const { types, release, from, connections, force } = options;
  const area = await askedArea(options);
  if (!sources.includes(OVERTURE) || existsSync(OVERTURE)) {
    if (from !== undefined) throw new Error(`--from is for the source ${OVERTURE}, got ${sources.join(" ")}`);
    return { sources, area, types, release };
  }
  if (sources.length > 1) throw new Error(`${OVERTURE} is built alone, got ${sources.join(" ")}`);
  if (!area) throw new Error(AREA_WANTED);
  const { fetchRelease } = await import("./fetch-release.ts");
  const folder = `${out.replace(/[\\/]+$/, "")}.overture`;
  await fetchRelease({ out: folder, area, types, release, from, connections, force, isReplacing: true });
  return { sources: [folder], wantedTypes: types, release };
}

async function makeExecutor(command: Command, options: BuildArguments): Promise<Executor | undefined> {
  const { executor, workers, sparkMaster, sparkConf } = options;
  if (executor !== "spark" && (sparkMaster !== undefined || sparkConf.length > 0))
    command.error("error: --spark-master and --spark-conf are for --executor spark");
  if (executor === "spark")
    return (await import("../execute/index.ts")).sparkExecutor({ master: sparkMaster, conf: sparkConf });
  if (executor === "slurm") return (await import("../execute/index.ts")).slurmExecutor();
  return workers > 1 ? (await import("../execute/index.ts")).processExecutor({ workers }) : undefined;
}

function parseConf(text: string, before: readonly string[]): readonly string[] {
  if (!/^[\w.-]+=/.test(text)) throw new InvalidArgumentError("Expected a setting such as spark.yarn.queue=maps.");
  return [...before, text];
}
