import { type Command, Option } from "commander";
import type { BBox } from "../../data/format/bbox.ts";
import type { OvertureType } from "../../data/format/collections.ts";
import { parseBox, parseCountry, parseTypes } from "../area/index.ts";
import { parsed } from "./options.ts";
import { asUsage, UsageError } from "./usage.ts";

interface ChangesArguments {
  readonly since?: string;
  readonly country?: string;
  readonly bbox?: BBox;
  readonly types?: OvertureType[];
  readonly out: string;
  readonly format?: "geoparquet" | "geojson";
  readonly memory?: string;
  readonly temp?: string;
}

export function registerChanges(program: Command): void {
  program
    .command("changes")
    .summary("write the records that two releases tell differently")
    .description(
      "Writes a feature for each record that was added, removed or changed between two releases, with the columns that differ: " +
        "two folders, or one that keeps the older release (cairn keep). Files that both have are not read.",
    )
    .argument("<old>", "folder of a dataset; with --since the only one")
    .argument("[new]", "folder of the dataset that replaces it")
    .option("--since <release>", "an older release that the folder keeps")
    .option("--country <code>", "records that lie there in one of the releases, such as MC", parsed(parseCountry))
    .option(
      "--bbox <west,south,east,north>",
      "records whose geometry meets the box in one of the releases, in degrees",
      parsed(parseBox),
    )
    .option("--types <list>", "types of records, such as place,building; all when left out", parsed(parseTypes))
    .requiredOption("--out <path>", "file (.parquet, .geojson, .json), or a folder for one")
    .addOption(new Option("--format <name>", "the file's, else geoparquet").choices(["geoparquet", "geojson"]))
    .option("--memory <size>", "most memory to take, such as 4GB; a quarter of the machine's when left out")
    .option("--temp <folder>", "folder for what does not fit in memory; the system's when left out")
    .addHelpText(
      "after",
      "\nExample:\n  cairn changes releases/march releases/april --country MC --out changes.geojson",
    )
    .action(async (older: string, newer: string | undefined, options: ChangesArguments) => {
      const { since, memory, ...wanted } = options;
      if ((newer === undefined) === (since === undefined)) {
        throw new UsageError(
          `two folders, or one with --since, are compared; got ${newer === undefined ? "one alone" : "two with --since"}`,
        );
      }
      const { changesFile, openRelease, writeChanges } = await import("../changes/index.ts");
      const { parseMemory } = await import("../database/index.ts");
      const memoryBytes = memory === undefined ? undefined : asUsage(() => parseMemory(memory));
      asUsage(() => changesFile(wanted));
      const { requireFolder } = await import("./serving.ts");
      for (const dataset of [older, newer]) if (dataset !== undefined) await requireFolder(dataset);
      const { counts, path } = await writeChanges(await openRelease(older, since), await openRelease(newer ?? older), {
        ...wanted,
        memoryBytes,
      });
      for (const { collection, added, removed, changed } of counts) {
        console.log(`${collection}: ${added} added, ${removed} removed, ${changed} changed`);
      }
      console.log(`written to ${path}`);
    });
}
