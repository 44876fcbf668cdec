import { relative, resolve } from "node:path";
import type { Command } from "commander";
import { exists } from "../disk/index.ts";
import { initMap, type MapArea } from "../map/index.ts";
import { AREA_WANTED, type AreaArguments, addAreaOptions, askedArea, parsed, parseFolder } from "./options.ts";
import { UsageError } from "./usage.ts";
import { PACKAGE, VERSION } from "./version.ts";

interface InitArguments extends AreaArguments {
  readonly title?: string;
  readonly from?: string;
  readonly package?: string;
  readonly force?: boolean;
}

const NODE = ">=20.19";

export function registerInit(program: Command): void {
  const command = program
    .command("init")
    .summary("begin a map of an area: its settings, scripts, and a workflow that publishes it")
    .description(
      "Writes a folder with map.json, which says what the map is; package.json, whose scripts get, build, check, make and serve it; and a " +
        "workflow that publishes it to GitHub Pages each month. Fetches nothing. In that folder get, build, keep, verify, site and serve " +
        "need no arguments.",
    )
    .argument("<folder>", "folder of the map", parsed(parseFolder));
  addAreaOptions(command)
    .option("--title <text>", "what the page is called; the place, else the folder, when left out")
    .option("--from <mirror>", "where releases are: a folder, or an address; Overture's own when left out")
    .option(
      "--package <source>",
      "where npm has this program from: a version, a tarball, an address; this version when left out",
    )
    .option("--force", "replace the files that are there")
    .addHelpText("after", "\nExample:\n  cairn init my-map --place Monaco\n  cd my-map && npm install\n  npm start")
    .action(async (folder: string, { title, from, force, types, ...options }: InitArguments) => {
      const area = await areaGiven(options);
      const program = await programOf(folder, options.package);
      const made = await initMap({ folder, area, types, title, from, force, program, node: NODE });
      for (const path of made) console.log(path);
      console.log(`next: cd ${folder} && npm install && npm start`);
    });
}

async function areaGiven(options: InitArguments): Promise<MapArea> {
  // reads an area's file, so that a wrong one is told now
  if (!(await askedArea(options))) throw new UsageError(AREA_WANTED);
  const { place, bbox, country, division, area } = options;
  if (place !== undefined) return { place };
  if (bbox !== undefined) return { bbox: bbox.join(",") };
  if (country !== undefined) return { country };
  if (division !== undefined) return { division };
  return { file: area ?? "" };
}

/** As npm is told: a tarball or a folder by its way from the map's folder. */
async function programOf(folder: string, source: string | undefined): Promise<{ name: string; from: string }> {
  if (source === undefined && PACKAGE === undefined)
    throw new UsageError("the program runs from its sources: say where npm has it from, by --package <tarball>");
  const name = PACKAGE ?? "cairn-map";
  if (source === undefined) return { name, from: VERSION };
  if (/^[\d^~]/.test(source) && !(await exists(source))) return { name, from: source };
  if (/^[a-z+]+:/i.test(source)) return { name, from: source };
  if (!(await exists(source)))
    throw new Error(`--package ${source}: no such file, expected a version, a tarball or an address`);
  return { name, from: `file:${relative(resolve(folder), resolve(source)).replaceAll("\\", "/")}` };
}
