import type { Command } from "commander";
import { PAGE } from "./page-folder.ts";

export function registerSite(program: Command): void {
  program
    .command("site")
    .summary("make a site of a dataset, for any static host")
    .description(
      "Makes a folder with the page and a dataset, which any static host serves. What the folder held is replaced when the " +
        "site is whole; a folder that holds no site is refused.",
    )
    .argument("<dataset>", "folder of a dataset")
    .requiredOption("--out <folder>", "folder of the site")
    .option("--page <folder>", "folder of the built page", PAGE)
    .option(
      "--allow-overture [mirror]",
      "readers may fetch areas of the latest release of Overture, from its hosts or a mirror; without, nothing leaves the site",
    )
    .addHelpText("after", "\nExample:\n  cairn site monaco --out site")
    .action(async (dataset: string, options: { out: string; page: string; allowOverture?: string | true }) => {
      const { makeSite } = await import("./make-site.ts");
      const { files, bytes, warnings } = await makeSite({ dataset, ...options });
      console.log(`${options.out}: ${files} files, ${bytes} bytes, dataset ${dataset}`);
      for (const warning of warnings) console.error(`cairn: ${warning}`);
    });
}
