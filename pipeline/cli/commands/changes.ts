import { type Command, Option } from "commander";
import type { BBox } from "../../../data/format/bbox.ts";
import type { OvertureType } from "../../../data/format/collections.ts";
import { parseBox, parseCountry, parseTypes } from "../../overture/area/index.ts";
import type { KeepReport } from "../../tools/changes/keep-release.ts";
import { FOLDERS } from "../map/index.ts";
import { lacking, mapHere, parsed } from "../options.ts";
import { addJsonOption, type JsonArguments, type Output, openOutput } from "../output.ts";
import { asUsage, UsageError } from "../usage.ts";

interface ChangesArguments extends JsonArguments {
  readonly since?: string;
  readonly country?: string;
  readonly bbox?: BBox;
  readonly types?: OvertureType[];
  readonly out: string;
  readonly format?: "geoparquet" | "geojson";
  readonly memory?: string;
  readonly temp?: string;
}

/** Registers `cairn changes`. */
export function registerChanges(program: Command): void {
  const command = program
    .command("changes")
    .summary("write the records that differ between two releases")
    .description(
      "Write one feature for each record that was added, removed or changed between two releases, with its changed columns.",
    )
    .argument("<old>", "folder of the older dataset, or with --since of both")
    .argument("[new]", "folder of the newer dataset")
    .option("--since <release>", "name of an older release that the folder keeps")
    .option("--country <code>", "only records in this country, such as MC", parsed(parseCountry))
    .option("--bbox <w,s,e,n>", "only records in this box, in degrees", parsed(parseBox))
    .option("--types <list>", "types, such as place,building (default: all)", parsed(parseTypes))
    .requiredOption("--out <path>", "file (.parquet, .geojson, .json) or folder")
    .addOption(
      new Option("--format <name>", "geoparquet or geojson (default: by the ending)").choices([
        "geoparquet",
        "geojson",
      ]),
    )
    .option("--memory <size>", "memory limit (default: a quarter of all)")
    .option("--temp <folder>", "folder for temporary files (default: the system's)");
  addJsonOption(command)
    .addHelpText(
      "after",
      "\nExample:\n  cairn changes releases/march releases/april --country MC --out changes.geojson",
    )
    .action(async (older: string, newer: string | undefined, options: ChangesArguments) => {
      const { since, memory, json, ...wanted } = options;
      const output = openOutput({ json });
      if ((newer === undefined) === (since === undefined)) {
        throw new UsageError(
          `expected two folders, or one folder and --since; got ${newer === undefined ? "one folder" : "two folders and --since"}`,
        );
      }
      const { openRelease } = await import("../../tools/changes/keep-release.ts");
      const { changesFile, writeChanges } = await import("../../tools/changes/write-changes.ts");
      const { parseMemory } = await import("../../base/database/index.ts");
      const memoryBytes = memory === undefined ? undefined : asUsage(() => parseMemory(memory));
      asUsage(() => changesFile(wanted));
      const { requireFolder } = await import("../serving.ts");
      for (const dataset of [older, newer]) if (dataset !== undefined) await requireFolder(dataset);
      const { counts, path } = await writeChanges(await openRelease(older, since), await openRelease(newer ?? older), {
        ...wanted,
        memoryBytes,
      });
      for (const { collection, added, removed, changed } of counts) {
        output.say(`${collection}: ${added} added, ${removed} removed, ${changed} changed`);
      }
      output.say(`written to ${path}`);
      output.result({ file: path, collections: counts });
    });
}

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
        const { keepPrevious } = await import("../../tools/changes/keep-release.ts");
        const kept = await keepPrevious(FOLDERS.previous, FOLDERS.dataset);
        if (kept) return reportKept(output, kept);
        output.say(`${FOLDERS.previous}: no older release to keep`);
        return output.result({ release: null, files: 0, bytes: 0 });
      }
      if (dataset === undefined) lacking(command, "dataset");
      const { requireFolder } = await import("../serving.ts");
      for (const folder of [older, dataset]) await requireFolder(folder);
      const { keepRelease } = await import("../../tools/changes/keep-release.ts");
      reportKept(output, await keepRelease(older, dataset));
    });
}

function reportKept(output: Output, { release, files, bytes }: KeepReport): void {
  output.say(`keeps release ${release}: ${files} files copied, ${bytes} bytes`);
  output.result({ release, files, bytes });
}
