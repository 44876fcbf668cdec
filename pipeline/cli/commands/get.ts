import type { Command } from "commander";
import { addCredits, areaOf, FOLDERS, typesOf } from "../map/index.ts";
import {
  AREA_WANTED,
  type AreaArguments,
  addAreaOptions,
  addReleaseOptions,
  askedArea,
  hasArea,
  lacking,
  mapHere,
  parsed,
  parseFolder,
  type ReleaseArguments,
} from "../options.ts";
import { addJsonOption, type JsonArguments, openOutput } from "../output.ts";
import { UsageError } from "../usage.ts";

interface GetArguments extends AreaArguments, ReleaseArguments, JsonArguments {
  readonly out?: string;
  readonly release?: string;
  readonly since?: string;
  readonly dryRun?: boolean;
}

/** Registers `cairn get`. */
export function registerGet(program: Command): void {
  const command = program
    .command("get")
    .summary("download an area of an Overture release")
    .description(
      "Download an area of an Overture release: the rows in the area, and no account. Run the command again to resume.",
    )
    .option("--out <folder>", "folder of the extract, for cairn build", parsed(parseFolder));
  addJsonOption(command);
  addAreaOptions(command.optionsGroup("Which rows:"));
  addReleaseOptions(command.optionsGroup("Release and its location:"))
    .option("--release <name>", "such as 2026-10-21.0 (default: the latest)")
    .option("--since <extract>", "older extract of the area, to copy files from")
    .optionsGroup("Repeating and planning:")
    .option("--force", "ignore files of an earlier run")
    .option("--dry-run", "print the plan and download nothing")
    .addHelpText(
      "after",
      "\nExample:\n  cairn get --place Monaco --out monaco\n  cairn get --bbox 7.40,43.72,7.44,43.76 --out monaco\n  cairn get --country MC --types place,building --out monaco",
    )
    .action(async ({ out, types, release, since, dryRun, from, connections, force, json, ...asked }: GetArguments) => {
      const output = openOutput({ json });
      const isMap = !hasArea(asked) && out === undefined;
      const map = isMap ? await mapHere(command, "--out <folder>") : undefined;
      if (map && !map.area) {
        output.say("map.json has no area: nothing to download");
        return;
      }
      if (!map && out === undefined) lacking(command, "--out <folder>");
      if (!map && !hasArea(asked)) throw new UsageError(AREA_WANTED);
      const area = map ? await areaOf(map) : await askedArea(asked);
      if (!area) throw new UsageError(AREA_WANTED);
      const { fetchRelease } = await import("./fetch-release.ts");
      const folder = out ?? FOLDERS.extract;
      const extract = await fetchRelease({
        ...{ area, connections, force, since, output },
        out: folder,
        types: types ?? (map && typesOf(map)),
        release: release ?? map?.release,
        from: from ?? map?.from,
        isPlanOnly: dryRun,
        isReplacing: isMap,
      });
      if (map && !dryRun) await addCredits(FOLDERS.extract, map);
      if (extract && !map) output.say(`next: cairn build ${folder} --out <dataset>`);
    });
}
