import type { Command } from "commander";

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
    .option("--memory <size>", "most memory to sort in, such as 4GB")
    .option("--temp <folder>", "folder for what is being sorted; the dataset's when left out")
    .addHelpText("after", "\nExample:\n  cairn build data/sample --out .cairn/dataset")
    .action(async (sources: string[], options: { out: string; release?: string; memory?: string; temp?: string }) => {
      const { buildDataset } = await import("../build.ts");
      const { reportProgress } = await import("./progress.ts");
      const report = await buildDataset({ ...options, sources, onProgress: reportProgress() });
      const size = `${report.rows} rows in ${report.partitions} partitions, ${report.bytes} bytes`;
      console.log(`release ${report.release}: ${size}, ${report.rejected} rejected`);
    });
}
