import type { Command } from "commander";
import type { KeepReport } from "../../tools/changes/index.ts";
import { FOLDERS } from "../map/index.ts";
import { lacking, mapHere } from "../options.ts";

/** Registers `cairn keep`. */
export function registerKeep(program: Command): void {
  const command = program
    .command("keep")
    .summary("keep an older release inside the dataset that replaced it")
    .description(
      "Copy an older release into the dataset that replaced it, for cairn changes --since, /changes and the page.",
    )
    .argument("[old]", "folder of the older dataset")
    .argument("[dataset]", "folder of the newer dataset")
    .addHelpText("after", "\nExample:\n  cairn keep releases/march releases/april")
    .action(async (older: string | undefined, dataset: string | undefined) => {
      if (older === undefined) {
        await mapHere(command, "old");
        const { keepPrevious } = await import("../../tools/changes/index.ts");
        const kept = await keepPrevious(FOLDERS.previous, FOLDERS.dataset);
        if (kept) tell(kept);
        else console.log(`${FOLDERS.previous}: no older release to keep`);
        return;
      }
      if (dataset === undefined) lacking(command, "dataset");
      const { requireFolder } = await import("../serving.ts");
      for (const folder of [older, dataset]) await requireFolder(folder);
      const { keepRelease } = await import("../../tools/changes/index.ts");
      tell(await keepRelease(older, dataset));
    });
}

function tell({ release, files, bytes }: KeepReport): void {
  console.log(`keeps release ${release}: ${files} files copied, ${bytes} bytes`);
}
