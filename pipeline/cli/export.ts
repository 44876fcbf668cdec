import { type Command, Option } from "commander";
import { FORMAT_NAMES } from "../../web/search/index.ts";
import { asUsage } from "./usage.ts";

interface ExportArguments {
  readonly out: string;
  readonly format?: string;
}

/** Registers `cairn export`. */
export function registerExport(program: Command): void {
  program
    .command("export")
    .summary("write the results of a search to a file")
    .description("Write all results of a search to one file. If the export fails, the existing file is unchanged.")
    .argument("<dataset>", "folder or URL of a dataset")
    .argument("<request>", "path and query, such as '/places?country=MC'")
    .requiredOption("--out <file>", "file to write; - is standard output")
    .addOption(new Option("--format <name>", "format (default: by the ending of the file)").choices(FORMAT_NAMES))
    .addHelpText(
      "after",
      `\nFormats: ${FORMAT_NAMES.join(" ")}\n\nExample:\n  cairn export .cairn/dataset '/places?country=MC' --out monaco.gpx`,
    )
    .action(async (dataset: string, request: string, { out, format }: ExportArguments) => {
      const { requireDataset } = await import("./serving.ts");
      await requireDataset(dataset);
      const { exportFile, parseExport } = await import("./export-file.ts");
      asUsage(() => parseExport({ request, out, format }));
      const { endInOrderOnSignal } = await import("./signals.ts");
      const controller = new AbortController();
      endInOrderOnSignal(() => controller.abort());
      const { signal } = controller;
      const { records, bytes, unsaid } = await exportFile({ dataset, request, out, format, signal });
      if (out !== "-") console.log(`${out}: ${records} records, ${bytes} bytes`);
      for (const line of unsaid) console.error(`source  ${line}`);
    });
}
