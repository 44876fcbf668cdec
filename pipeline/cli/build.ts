import { type Command, Option } from "commander";
import type { Executor } from "../execute/index.ts";
import { parseCount } from "./counts.ts";

const EXECUTORS = ["local", "slurm"] as const;

interface BuildArguments {
  readonly executor: (typeof EXECUTORS)[number];
  readonly workers: number;
  readonly threads?: number;
  readonly taskRows?: number;
  readonly out: string;
  readonly release?: string;
  readonly memory?: string;
  readonly temp?: string;
  readonly force?: boolean;
  readonly keep: boolean;
}

export function registerBuild(program: Command): void {
  program
    .command("build")
    .summary("build a dataset from source files")
    .description(
      "Builds a dataset from GeoParquet (.parquet) and GeoJSON (.geojson, .json, .geojsonl, .ndjson, .jsonl) in Overture's " +
        "schema. A file's type is its type=<type> folder, else its constant type column, else its name. Folders may be whole " +
        "releases as Overture lays them out. GeoParquet at s3:// and https:// is read where DuckDB's httpfs can be had.",
    )
    .argument("<source...>", "files, folders, or @list: a file with a path on each line")
    .requiredOption("--out <dataset>", "folder of the dataset; an older one is replaced when the build is whole")
    .option("--release <name>", "name of the release; made from the content when left out")
    .option("--memory <size>", "most memory to take, such as 4GB; a quarter of the machine's when left out")
    .option("--temp <folder>", "folder for checkpoints and for what is being sorted; <dataset>.build when left out")
    .addOption(new Option("--executor <name>", "who builds").choices(EXECUTORS).default("local"))
    .option("--workers <n>", "local: processes at a time, which share the memory", parseCount, 1)
    .option("--threads <n>", "processors of each task; the machine's, shared, when left out", parseCount)
    .option(
      "--task-rows <n>",
      "rows that a task sorts, or about as many; the dataset does not depend on it",
      parseCount,
    )
    .option("--force", "redo everything, whatever earlier builds left")
    .option("--no-keep", "remove the checkpoints when the build is whole")
    .addHelpText(
      "after",
      "\nExample:\n  cairn build data/sample --out .cairn/dataset\n  cairn build /shared/overture --out /shared/dataset --executor slurm --memory 16GB",
    )
    .action(async (sources: string[], { memory, executor, workers, ...options }: BuildArguments) => {
      const { buildDataset } = await import("../build/index.ts");
      const { parseMemory } = await import("../database/index.ts");
      const { reportProgress } = await import("./progress.ts");
      const report = await buildDataset({
        ...options,
        sources,
        executor: await makeExecutor(executor, workers),
        memoryBytes: memory === undefined ? undefined : parseMemory(memory),
        onProgress: reportProgress(),
        onWait: (message) => console.error(`cairn: ${message}`),
      });
      const size = `${report.rows} rows in ${report.partitions} partitions, ${report.bytes} bytes`;
      console.log(`release ${report.release}: ${size}, ${report.rejected} rejected`);
    });
}

async function makeExecutor(name: BuildArguments["executor"], workers: number): Promise<Executor | undefined> {
  if (name === "slurm") return (await import("../execute/index.ts")).slurmExecutor();
  return workers > 1 ? (await import("../execute/index.ts")).processExecutor({ workers }) : undefined;
}
