import { type Command, Option } from "commander";
import { FORMAT_NAMES } from "../../../web/search/index.ts";
import { formatCount } from "../figures.ts";
import { addJsonOption, type JsonArguments, openOutput } from "../output.ts";
import { UsageError } from "../usage.ts";
import type { ExportProgress } from "./export-file.ts";

interface ExportArguments extends JsonArguments {
  readonly out: string;
  readonly format?: string;
  readonly columns?: string;
}

/** Registers `cairn export`. */
export function registerExport(program: Command): void {
  const command = program
    .command("export")
    .summary("write the results of a search to a file")
    .description("Write all results of a search to one file. If the export fails, the existing file is unchanged.")
    .argument("<dataset>", "folder or URL of a dataset")
    .argument("<request>", "path and query, such as '/places?country=MC'")
    .requiredOption("--out <file>", "file to write; - is standard output")
    .addOption(new Option("--format <name>", "format (default: by the ending of the file)").choices(FORMAT_NAMES))
    .option("--columns <names>", "columns to keep, with commas (default: all)");
  addJsonOption(command)
    .addHelpText(
      "after",
      `\nFormats: ${FORMAT_NAMES.join(" ")}\n\nExamples:\n  cairn export my-dataset '/places?country=MC' --out monaco.gpx\n  cairn export my-dataset '/places?country=FR,DE' --columns names --out a.csv`,
    )
    .action(async (dataset: string, request: string, { out, format, columns, json }: ExportArguments) => {
      if (json && out === "-") throw new UsageError("--json and --out - both need standard output; choose one");
      const { requireDataset } = await import("../serving.ts");
      await requireDataset(dataset);
      const { exportFile } = await import("./export-file.ts");
      const { endInOrderOnSignal } = await import("../signals.ts");
      const controller = new AbortController();
      endInOrderOnSignal(() => controller.abort());
      const { signal } = controller;
      const { withBars } = await import("../bars.ts");
      const { records, bytes, credits } = await withBars(({ draw }) => {
        const onProgress = ({ records: done, total }: ExportProgress): void =>
          draw("records", { done, total, text: `${done} of ${formatCount(total, "record")}` });
        return exportFile({ dataset, request, out, format, columns, signal, onProgress });
      });
      const output = openOutput({ json });
      if (out !== "-") output.say(`${out}: ${records} records, ${bytes} bytes`);
      for (const line of credits) console.error(`source  ${line}`);
      output.result({ file: out, records, bytes, sources: credits });
    });
}
