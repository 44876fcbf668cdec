import { type Command, Option } from "commander";
import type { BBox } from "../../data/format/bbox.ts";
import { parseBox, parseCountry } from "../area/index.ts";
import { parsed, parseFolder } from "./options.ts";

interface PackArguments {
  readonly out: string;
  readonly name?: string;
  readonly bbox?: BBox;
  readonly country?: string;
  readonly names: boolean;
}

export function registerPack(program: Command): void {
  program
    .command("pack")
    .summary("write an area of a dataset as one file that pages take in")
    .description(
      "Writes an area of a dataset as one .cairn.tar file, which a page saves for use without a network, and lists it with size " +
        "and SHA-256 in packs.json beside it.",
    )
    .argument("<dataset>", "folder or URL of a dataset")
    .requiredOption("--out <folder>", "folder of the file and of packs.json, which is added to", parsed(parseFolder))
    .addOption(
      new Option("--bbox <west,south,east,north>", "what searches in this box need, in degrees")
        .argParser(parsed(parseBox))
        .conflicts("country"),
    )
    .addOption(new Option("--country <code>", "what searches in this country need").argParser(parsed(parseCountry)))
    .option("--name <name>", "what the page calls it; the area when left out")
    .option("--no-names", "without the names of the area's countries: names are then found around a point alone")
    .addHelpText("after", "\nExample:\n  cairn pack .cairn/dataset --country MC --name Monaco --out packs")
    .action(async (location: string, { out, name, bbox, country, names }: PackArguments, command: Command) => {
      if (!bbox && country === undefined) return command.error("error: pack needs --bbox or --country");
      const { requireDataset } = await import("./serving.ts");
      await requireDataset(location);
      const { packFile } = await import("./pack-file.ts");
      const shape = bbox ? ({ kind: "bbox", bbox } as const) : ({ kind: "country", country: country ?? "" } as const);
      const pack = await packFile({ dataset: location, out, shape, name, hasNames: names });
      console.log(`${pack.file}: ${pack.name}, release ${pack.release}, ${pack.bytes} bytes, SHA-256 ${pack.sha256}`);
    });
}
