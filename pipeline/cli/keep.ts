import type { Command } from "commander";
import type { KeepReport } from "../changes/index.ts";
import { FOLDERS } from "../map/index.ts";
import { lacking, mapHere } from "./options.ts";

export function registerKeep(program: Command): void {
  const command = program
    .command("keep")
    .summary("keep an older release beside the one that took its place")
    .description(
      "Copies the files of the older dataset that the newer one does not have into it, and names the release in its manifest: " +
        "what changed since can then be asked for (cairn changes --since, /changes, the page). Building the dataset anew ends that.",
    )
    .argument("[old]", "folder of the older dataset")
    .argument("[dataset]", "folder of the dataset that is to keep it")
    .addHelpText("after", "\nExample:\n  cairn keep releases/march releases/april")
    .action(async (older: string | undefined, dataset: string | undefined) => {
      if (older === undefined) {
        await mapHere(command, "old");
        const { keepPrevious } = await import("../changes/index.ts");
        const kept = await keepPrevious(FOLDERS.previous, FOLDERS.dataset);
        if (kept) tell(kept);
        else console.log(`${FOLDERS.previous}: no older release, nothing to keep`);
        return;
      }
      if (dataset === undefined) lacking(command, "dataset");
      const { requireFolder } = await import("./serving.ts");
      for (const folder of [older, dataset]) await requireFolder(folder);
      const { keepRelease } = await import("../changes/index.ts");
      tell(await keepRelease(older, dataset));
    });
}

function tell({ release, files, bytes }: KeepReport): void {
  console.log(`release ${release} is kept: ${files} files copied, ${bytes} bytes`);
}
