import type { Command } from "commander";
import type { KeepReport } from "../../tools/changes/index.ts";
import { FOLDERS } from "../map/index.ts";
import { lacking, mapHere } from "../options.ts";
import { addJsonOption, type JsonArguments, type Output, openOutput } from "../output.ts";

/** Registers `cairn keep`. */
export function registerKeep(program: Command): void {
  const command = program
    .command("keep")
    .summary("keep an older release inside the dataset that replaced it")
    .description(
      "Copy an older release into the dataset that replaced it, for cairn changes --since, /changes and the page.",
    )
    .argument("[old]", "folder of the older dataset")
    .argument("[dataset]", "folder of the newer dataset");
  addJsonOption(command)
    .addHelpText("after", "\nExample:\n  cairn keep releases/march releases/april")
    .action(async (older: string | undefined, dataset: string | undefined, options: JsonArguments) => {
      const output = openOutput(options);
      if (older === undefined) {
        await mapHere(command, "old");
        const { keepPrevious } = await import("../../tools/changes/index.ts");
        const kept = await keepPrevious(FOLDERS.previous, FOLDERS.dataset);
        if (kept) return report(output, kept);
        output.say(`${FOLDERS.previous}: no older release to keep`);
        return output.result({ release: null, files: 0, bytes: 0 });
      }
      if (dataset === undefined) lacking(command, "dataset");
      const { requireFolder } = await import("../serving.ts");
      for (const folder of [older, dataset]) await requireFolder(folder);
      const { keepRelease } = await import("../../tools/changes/index.ts");
      report(output, await keepRelease(older, dataset));
    });
}

function report(output: Output, { release, files, bytes }: KeepReport): void {
  output.say(`keeps release ${release}: ${files} files copied, ${bytes} bytes`);
  output.result({ release, files, bytes });
}
