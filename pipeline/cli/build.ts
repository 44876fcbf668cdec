import { type Command, InvalidArgumentError } from "commander";

interface BuildArguments {
  readonly workers: number;
  readonly out: string;
  readonly release?: string;
  readonly memory?: string;
  readonly temp?: string;
  readonly force?: boolean;
  readonly keep: boolean;
}

/** `cairn build`: a dataset from source files. */
export function registerBuild(program: Command): void {
  program
    .command("build")
    .summary("build a dataset from source files")
    .description(
      "Builds a dataset from GeoParquet (.parquet) and GeoJSON (.geojson, .json, .geojsonl, .ndjson, .jsonl) in Overture's " +
        "schema. A file's type is its type=<type> folder, else its constant type column, else its name.",
    )
    .argument("<source...>", "files or folders")
    .requiredOption("--out <dataset>", "folder of the dataset; an older one is replaced when the build is whole")
    .option("--release <name>", "name of the release; made from the content when left out")
    .option("--memory <size>", "most memory to take, such as 4GB; a quarter of the machine's when left out")
    .option("--temp <folder>", "folder for checkpoints and for what is being sorted; <dataset>.build when left out")
    .option("--workers <n>", "processes that build at a time, and share the memory", parseCount, 1)
    .option("--force", "redo everything, whatever earlier builds left")
    .option("--no-keep", "remove the checkpoints when the build is whole")
    .addHelpText("after", "\nExample:\n  cairn build data/sample --out .cairn/dataset")
    .action(async (sources: string[], { memory, workers, ...options }: BuildArguments) => {
      const { buildDataset } = await import("../build.ts");
      const { parseMemory } = await import("../memory.ts");
      const { processExecutor } = await import("../execute/process-executor.ts");
      const { reportProgress } = await import("./progress.ts");
      const report = await buildDataset({
        ...options,
        sources,
        executor: workers > 1 ? processExecutor({ workers }) : undefined,
        memoryBytes: memory === undefined ? undefined : parseMemory(memory),
        onProgress: reportProgress(),
      });
      const size = `${report.rows} rows in ${report.partitions} partitions, ${report.bytes} bytes`;
      console.log(`release ${report.release}: ${size}, ${report.rejected} rejected`);
    });
}

function parseCount(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError("Expected a whole number from 1.");
  return Number(text);
}
