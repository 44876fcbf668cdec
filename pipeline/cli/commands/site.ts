import type { Command } from "commander";
import { parsePinned } from "../../../web/site/pin-key.ts";
import { FOLDERS, isShopMap } from "../map/index.ts";
import { lacking, mapHere, parsed, parseFolder } from "../options.ts";
import { addJsonOption, type JsonArguments, openOutput } from "../output.ts";
import { asUsage } from "../usage.ts";
import { PAGE } from "../version.ts";

interface SiteArguments extends JsonArguments {
  readonly out?: string;
  readonly page: string;
  readonly allowOverture?: string | true;
  readonly key?: string;
}

/** Registers `cairn site`. */
export function registerSite(program: Command): void {
  const command = program
    .command("site")
    .summary("make a site for any static host from a dataset")
    .description(
      "Make a folder with the page and a dataset, for any static host. Replace an existing site when the new one is complete.",
    )
    .argument("[dataset]", "folder of a dataset")
    .option("--out <folder>", "folder of the site", parsed(parseFolder))
    .option("--page <folder>", "folder of the built page", PAGE)
    .option("--allow-overture [mirror]", "let readers download areas of Overture")
    .option("--key <keys>", "public keys: the page refuses other datasets", parsed(parsePinned));
  addJsonOption(command)
    .addHelpText("after", "\nExample:\n  cairn site monaco --out site")
    .action(async (given: string | undefined, options: SiteArguments) => {
      const map = given === undefined ? await mapHere(command, "dataset") : undefined;
      const dataset = given ?? FOLDERS.dataset;
      const out = options.out ?? (map ? FOLDERS.site : lacking(command, "--out <folder>"));
      const { allowOverture: mirror, page, key } = options;
      const { parseAllowed } = await import("../../../web/site/allow-release.ts");
      const release = mirror === undefined ? undefined : asUsage(() => parseAllowed(mirror === true ? "" : mirror));
      const { requireDataset } = await import("../serving.ts");
      await requireDataset(dataset);
      const { makeSite } = await import("./make-site.ts");
      const { readExtract } = await import("../../overture/get/index.ts");
      const extract = map?.area && (await readExtract(FOLDERS.extract));
      // the shops decide the first view, not the area around them
      const area = map && isShopMap(map) ? undefined : extract?.area.bbox;
      const { files, bytes, warnings } = await makeSite({ dataset, out, page, map, release, area, key });
      const output = openOutput(options);
      output.say(`${out}: ${files} files, ${bytes} bytes, dataset ${dataset}`);
      for (const warning of warnings) console.error(`cairn: ${warning}`);
      output.result({ folder: out, dataset, files, bytes, warnings });
    });
}
