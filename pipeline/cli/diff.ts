import type { Command } from "commander";
import type { Amount, DiffLine } from "../diff/index.ts";

export function registerDiff(program: Command): void {
  program
    .command("diff")
    .summary("tell what of two releases differs")
    .description(
      "Tells what a host has to upload when a dataset replaces an older one (files that the old folder does not have), and " +
        "what a reader that has the old release has to fetch (slices that the old one does not hold).",
    )
    .argument("<old>", "folder of a dataset")
    .argument("<new>", "folder of the dataset that replaces it")
    .addHelpText("after", "\nExample:\n  cairn diff releases/march releases/april")
    .action(async (older: string, newer: string) => {
      const { diffDatasets } = await import("../diff/index.ts");
      const lines = await diffDatasets(older, newer);
      for (const line of lines) {
        const { count } = line.uploaded;
        if (count + line.removed.count + line.fetched.count > 0) {
          const rows = line.what === "location" ? `, ${tellRows(line)}` : "";
          console.log(`${line.collection} ${line.what}: ${tell([line])}${rows}`);
        }
      }
      for (const name of new Set(lines.map(({ collection }) => collection))) {
        console.log(`${name} in all: ${tell(lines.filter(({ collection }) => collection === name))}`);
      }
      console.log(`in all: ${tell(lines)}`);
    });
}

function tellRows({ rows }: Pick<DiffLine, "rows">): string {
  return rows.old === rows.new ? `${rows.new} rows as before` : `${rows.new} rows, before ${rows.old}`;
}

type Sum = "uploaded" | "removed" | "fetched" | "packs" | "slices";

function tell(lines: readonly DiffLine[]): string {
  const sum = (member: Sum): Amount => ({
    count: lines.reduce((total, line) => total + line[member].count, 0),
    bytes: lines.reduce((total, line) => total + line[member].bytes, 0),
  });
  const share = (part: Sum, whole: Sum, name: string): string =>
    `${sum(part).count} of ${sum(whole).count} ${name}, ${sum(part).bytes} of ${sum(whole).bytes} bytes`;
  return `upload ${share("uploaded", "packs", "files")}; fetch ${share("fetched", "slices", "slices")}; ${sum("removed").count} files gone, ${sum("removed").bytes} bytes`;
}
