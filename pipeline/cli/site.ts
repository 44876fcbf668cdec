import type { Command } from "commander";
import { FOLDERS } from "../map/index.ts";
import { lacking, mapHere, parsed, parseFolder } from "./options.ts";
import { asUsage } from "./usage.ts";
import { PAGE } from "./version.ts";

interface SiteArguments {
  readonly out?: string;
  readonly page: string;
  readonly allowOverture?: string | true;
}

export function registerSite(program: Command): void {
  const command = program
    .command("site")
    .summary("make a site of a dataset, for any static host")
    .description(
      "Makes a folder with the page and a dataset, which any static host serves. What the folder held is replaced when the " +
        "site is whole; a folder that holds no site is refused.",
    )
    .argument("[dataset]", "folder of a dataset")
    .option("--out <folder>", "folder of the site", parsed(parseFolder))
    .option("--page <folder>", "folder of the built page", PAGE)
    .option(
      "--allow-overture [mirror]",
      "readers may fetch areas of the latest release of Overture, from its hosts or a mirror; without, nothing leaves the site",
    )
    .addHelpText("after", "\nExample:\n  cairn site monaco --out site")
    .action(async (given: string | undefined, options: SiteArguments) => {
      const map = given === undefined ? await mapHere(command, "dataset") : undefined;
      const dataset = given ?? FOLDERS.dataset;
      const out = options.out ?? (map ? FOLDERS.site : lacking(command, "--out <folder>"));
      const { allowOverture: mirror, page } = options;
      const { parseAllowed } = await import("../../web/build/allow-release.ts");
      const release = mirror === undefined ? undefined : asUsage(() => parseAllowed(mirror === true ? "" : mirror));
      const { requireDataset } = await import("./serving.ts");
      await requireDataset(dataset);
      const { makeSite } = await import("./make-site.ts");
      const { readExtract } = await import("../get/index.ts");
      const extract = map && (await readExtract(FOLDERS.extract));
      const area = extract?.area.bbox;
      const { files, bytes, warnings } = await makeSite({ dataset, out, page, map, release, area });
      console.log(`${out}: ${files} files, ${bytes} bytes, dataset ${dataset}`);
      for (const warning of warnings) console.error(`cairn: ${warning}`);
    });
}
