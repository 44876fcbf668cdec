import type { Command } from "commander";

export function registerKeep(program: Command): void {
  program
    .command("keep")
    .summary("keep an older release beside the one that took its place")
    .description(
      "Copies the files of the older dataset that the newer one does not have into it, and names the release in its manifest: " +
        "what changed since can then be asked for (cairn changes --since, /changes, the page). Building the dataset anew ends that.",
    )
    .argument("<old>", "folder of the older dataset")
    .argument("<dataset>", "folder of the dataset that is to keep it")
    .addHelpText("after", "\nExample:\n  cairn keep releases/march releases/april")
    .action(async (older: string, dataset: string) => {
      const { keepRelease } = await import("../changes/index.ts");
      const { release, files, bytes } = await keepRelease(older, dataset);
      console.log(`release ${release} is kept: ${files} files copied, ${bytes} bytes`);
    });
}
