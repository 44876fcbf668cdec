import type { Command } from "commander";
import type { Amount, DiffLine } from "../../tools/diff/diff.ts";
import { addJsonOption, type JsonArguments, openOutput } from "../output.ts";

/** Registers `cairn diff`. */
export function registerDiff(program: Command): void {
  const command = program
    .command("diff")
    .summary("list the differences between two releases")
    .description(
      "List what a host has to upload for the newer dataset, and what readers of the older one have to download.",
    )
    .argument("<old>", "folder of the older dataset")
    .argument("<new>", "folder of the newer dataset");
  addJsonOption(command)
    .addHelpText("after", "\nExample:\n  cairn diff releases/march releases/april")
    .action(async (older: string, newer: string, options: JsonArguments) => {
      const output = openOutput(options);
      const { requireFolder } = await import("../serving.ts");
      for (const dataset of [older, newer]) await requireFolder(dataset);
      const { diffDatasets } = await import("../../tools/diff/diff.ts");
      const lines = await diffDatasets(older, newer);
      for (const line of lines) {
        const { count } = line.uploaded;
        if (count + line.removed.count + line.fetched.count > 0) {
          const rows = line.what === "location" ? `, ${describeRows(line)}` : "";
          output.say(`${line.collection} ${line.what}: ${tell([line])}${rows}`);
        }
      }
      for (const name of new Set(lines.map(({ collection }) => collection))) {
        output.say(`${name} total: ${tell(lines.filter(({ collection }) => collection === name))}`);
      }
      output.say(`total: ${tell(lines)}`);
      output.result({ old: older, new: newer, lines, total: totalOf(lines) });
    });
}

function describeRows({ rows }: Pick<DiffLine, "rows">): string {
  return rows.old === rows.new ? `${rows.new} rows, unchanged` : `${rows.new} rows, before ${rows.old}`;
}

const SUMS = ["uploaded", "removed", "fetched", "packs", "slices"] as const;
type Sum = (typeof SUMS)[number];

function totalOf(lines: readonly DiffLine[]): Readonly<Record<Sum, Amount>> {
  const sum = (member: Sum): Amount => ({
    count: lines.reduce((total, line) => total + line[member].count, 0),
    bytes: lines.reduce((total, line) => total + line[member].bytes, 0),
  });
  return Object.fromEntries(SUMS.map((member) => [member, sum(member)])) as Record<Sum, Amount>;
}

function tell(lines: readonly DiffLine[]): string {
  const total = totalOf(lines);
  const share = (part: Sum, whole: Sum, name: string): string =>
    `${total[part].count} of ${total[whole].count} ${name}, ${total[part].bytes} of ${total[whole].bytes} bytes`;
  return `upload ${share("uploaded", "packs", "files")}; fetch ${share("fetched", "slices", "slices")}; ${total.removed.count} files removed, ${total.removed.bytes} bytes`;
}
