import type { Command } from "commander";
import type { DiffLine, FileCount } from "../diff/index.ts";

export function registerDiff(program: Command): void {
  program
    .command("diff")
    .summary("tell which partitions of two datasets differ")
    .description(
      "Tells how many partitions and bytes of a dataset another one does not have: what a host has to upload, and readers " +
        "to download once more, when the new one replaces the old one.",
    )
    .argument("<old>", "folder of a dataset")
    .argument("<new>", "folder of the dataset that replaces it")
    .addHelpText("after", "\nExample:\n  cairn diff releases/march releases/april")
    .action(async (older: string, newer: string) => {
      const { diffDatasets } = await import("../diff/index.ts");
      const lines = await diffDatasets(older, newer);
      for (const line of lines) {
        if (line.added.files + line.removed.files > 0) console.log(`${line.collection} ${line.what}: ${tell(line)}`);
      }
      const partitions = lines.filter(({ what }) => what !== "index pages");
      const sum = (member: "kept" | "added" | "removed"): FileCount => ({
        files: partitions.reduce((total, line) => total + line[member].files, 0),
        bytes: partitions.reduce((total, line) => total + line[member].bytes, 0),
      });
      console.log(`partitions in all: ${tell({ kept: sum("kept"), added: sum("added"), removed: sum("removed") })}`);
    });
}

function tell({ kept, added, removed }: Pick<DiffLine, "kept" | "added" | "removed">): string {
  const [files, bytes] = [kept.files + added.files, kept.bytes + added.bytes];
  const share = files === 0 ? 0 : (100 * added.files) / files;
  const changed = `${added.files} of ${files} new (${share.toFixed(1)} %), ${added.bytes} of ${bytes} bytes`;
  return `${changed}; ${removed.files} gone, ${removed.bytes} bytes`;
}
