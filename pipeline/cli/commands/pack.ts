import { type Command, Option } from "commander";
import type { BBox } from "../../../data/format/bbox.ts";
import { parseBox, parseCountry } from "../../overture/area/index.ts";
import { parsed, parseFolder } from "../options.ts";
import { addJsonOption, type JsonArguments, openOutput } from "../output.ts";

interface PackArguments extends JsonArguments {
  readonly out: string;
  readonly name?: string;
  readonly bbox?: BBox;
  readonly country?: string;
  readonly names: boolean;
}

/** Registers `cairn pack`. */
export function registerPack(program: Command): void {
  const pack = program
    .command("pack")
    .summary("write an area of a dataset to one file for pages")
    .description(
      "Write an area of a dataset to one .cairn.tar file, which pages save for offline use, and list it in packs.json.",
    )
    .argument("<dataset>", "folder or URL of a dataset")
    .requiredOption("--out <folder>", "folder of the file and of packs.json", parsed(parseFolder))
    .addOption(
      new Option("--bbox <w,s,e,n>", "data for searches in this box, in degrees")
        .argParser(parsed(parseBox))
        .conflicts("country"),
    )
    .addOption(new Option("--country <code>", "data for searches in this country").argParser(parsed(parseCountry)))
    .option("--name <name>", "title in the page (default: the area)")
    .option("--no-names", "leave out the names of the area's countries");
  addJsonOption(pack)
    .addHelpText("after", "\nExample:\n  cairn pack .cairn/dataset --country MC --name Monaco --out packs")
    .action(async (location: string, { out, name, bbox, country, names, json }: PackArguments, command: Command) => {
      if (!bbox && country === undefined) return command.error("error: pack needs --bbox or --country");
      const { requireDataset } = await import("../serving.ts");
      await requireDataset(location);
      const { packFile } = await import("./pack-file.ts");
      const shape = bbox ? ({ kind: "bbox", bbox } as const) : ({ kind: "country", country: country ?? "" } as const);
      const output = openOutput({ json });
      const made = await packFile({ dataset: location, out, shape, name, hasNames: names });
      output.say(`${made.file}: ${made.name}, release ${made.release}, ${made.bytes} bytes, SHA-256 ${made.sha256}`);
      output.result(made);
    });
}
