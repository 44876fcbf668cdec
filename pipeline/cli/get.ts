import type { Command } from "commander";
import { addCredits, areaOf, FOLDERS, typesOf } from "../map/index.ts";
import {
  AREA_WANTED,
  type AreaArguments,
  addAreaOptions,
  addReleaseOptions,
  askedArea,
  lacking,
  mapHere,
  type ReleaseArguments,
} from "./options.ts";

interface GetArguments extends AreaArguments, ReleaseArguments {
  readonly out?: string;
  readonly release?: string;
  readonly since?: string;
  readonly dryRun?: boolean;
}

export function registerGet(program: Command): void {
  const command = program
    .command("get")
    .summary("fetch an area of an Overture release")
    .description(
      "Fetches an area of a release of Overture Maps: of its files just the row groups that reach into the area, of these " +
        "the rows that do. Says before what it will fetch; goes on where it was stopped when the same command is given again. " +
        "Needs no account.",
    )
    .option("--out <folder>", "folder of the extract, laid out as a release, for cairn build");
  addReleaseOptions(addAreaOptions(command))
    .option("--release <name>", "such as 2026-10-21.0; the latest when left out")
    .option(
      "--since <extract>",
      "an extract of the same area of another release: files that did not change are taken from it",
    )
    .option("--force", "begin anew, whatever an earlier run left")
    .option("--dry-run", "say what would be fetched, and fetch nothing of it")
    .addHelpText(
      "after",
      "\nExample:\n  cairn get --place Monaco --out monaco\n  cairn get --bbox 7.40,43.72,7.44,43.76 --out monaco\n  cairn get --country MC --types place,building --out monaco",
    )
    .action(async ({ out, types, release, since, dryRun, from, connections, force, ...asked }: GetArguments) => {
      const area = await askedArea(asked);
      if (!area && out === undefined) {
        const map = await mapHere(command, "--out <folder>");
        const { fetchRelease } = await import("./fetch-release.ts");
        await fetchRelease({
          out: FOLDERS.extract,
          area: await areaOf(map),
          types: types ?? typesOf(map),
          release: release ?? map.release,
          from: from ?? map.from,
          ...{ connections, force, since, isPlanOnly: dryRun, isReplacing: true },
        });
        if (!dryRun) await addCredits(FOLDERS.extract, map);
        return;
      }
      if (out === undefined) lacking(command, "--out <folder>");
      if (!area) throw new Error(AREA_WANTED);
      const { fetchRelease } = await import("./fetch-release.ts");
      const how = { from, connections, force, since, isPlanOnly: dryRun };
      const extract = await fetchRelease({ out, area, types, release, ...how });
      if (extract) console.log(`next: cairn build ${out} --out <dataset>`);
    });
}
