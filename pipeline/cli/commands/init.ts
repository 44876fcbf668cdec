import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { exists } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { type InitOptions, initMap, type MapArea } from "../map/index.ts";
import {
  AREA_WANTED,
  type AreaArguments,
  addAreaOptions,
  askedArea,
  hasArea,
  parsed,
  parseFolder,
} from "../options.ts";
import { UsageError } from "../usage.ts";
import { PACKAGE, VERSION } from "../version.ts";

interface InitArguments extends AreaArguments {
  readonly title?: string;
  readonly from?: string;
  readonly package?: string;
  readonly force?: boolean;
}

const NODE = ">=20.19";

/** Registers `cairn init`. */
export function registerInit(program: Command): void {
  const command = program
    .command("init")
    .summary("create a map project of an area, or of a table such as shops.csv")
    .description(
      "Create a map project: settings, scripts and a workflow that publishes it each month. With a table, the map finds its rows, and the workflow looks for changes each night.",
    )
    .argument("<folder>", "folder of the map project", parsed(parseFolder));
  addAreaOptions(command)
    .option("--title <text>", "title of the page (default: the place)")
    .option("--from <source>", "a table or its URL, or folder or URL of releases")
    .option("--package <source>", "version, tarball or URL (default: this version)")
    .option("--force", "replace existing files")
    .addHelpText(
      "after",
      "\nExample:\n  cairn init my-map --place Monaco\n  cd my-map && npm install\n  npm start\n  cairn init --from shops.csv my-shops",
    )
    .action(async (folder: string, { title, from, force, types, ...options }: InitArguments) => {
      const table = from === undefined ? undefined : await tableGiven(from, hasArea(options));
      const area = table && !hasArea(options) ? undefined : await areaGiven(options);
      const program = await programOf(folder, options.package);
      const mirror = table ? undefined : from;
      const made = await initMap({ folder, area, table, types, title, from: mirror, force, program, node: NODE });
      for (const path of made) console.log(path);
      if (table && !area) {
        const given = { "--from": from, "--title": title, "--package": options.package };
        const words = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
        const again = ["cairn init", ...words.map(quoted), quoted(folder), "--force", '--place "<town, country>"'];
        console.log(`the map has no streets below the shops; to add those of a town: ${again.join(" ")}`);
      }
      console.log(`next: cd ${quoted(folder)} && npm install && npm start`);
    });
}

/** Quotes the text as one argument of a shell, if needed. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Number of filters at most: more would hide the list of rows. */
const MOST_FILTERS = 5;

/**
 * Returns the table at the path or address, with the columns that get a filter: the category, then those with few
 * values. Undefined if `from` is a mirror of releases.
 */
async function tableGiven(from: string, hasArea: boolean): Promise<InitOptions["table"]> {
  if (/^https?:\/\//i.test(from)) return isTableAddress(from, hasArea) ? tableAtAddress(from) : undefined;
  if (/^[a-z0-9]+:\/\//i.test(from)) return undefined;
  const found = await stat(from).catch(() => undefined);
  if (!found)
    throw new CodedError(
      "CAIRN_E_VALUE",
      `--from ${from}: not found, expected a table such as shops.csv, or a folder or address of releases`,
    );
  if (found.isDirectory()) return undefined;
  return { source: { file: from }, ...(await describeShops(from, from)) };
}

/** Endings of tables at a web address. */
const TABLE_ENDING =
  /\.(csv|tsv|txt|xlsx?|ods|geojson|geojsonl|ndjson|json|topojson|kmz?|gpx|gpkg|fgb|parquet|geoparquet|osm|pbf|gz|zip)(?:[?#]|$)/i;

/** Returns true if the address is a table. With an area, it can be a mirror of releases: a folder or its `catalog.json`. */
export function isTableAddress(address: string, hasArea: boolean): boolean {
  const isSheet = /^https:\/\/docs\.google\.com\/spreadsheets\//i.test(address);
  return !hasArea || isSheet || (TABLE_ENDING.test(address) && !/\/catalog\.json$/.test(address));
}

async function tableAtAddress(address: string): Promise<InitOptions["table"]> {
  const { fetchSource } = await import("../../builder/live/index.ts");
  const folder = await mkdtemp(join(tmpdir(), "cairn-init-"));
  try {
    const { path } = await fetchSource(address, { folder, onWait: (line) => console.error(`cairn: ${line}`) });
    return { source: { address }, ...(await describeShops(path, address)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function describeShops(file: string, from: string) {
  const { describeTable } = await import("../../builder/tables/index.ts");
  const report = await describeTable(file);
  if (report.rows === 0)
    throw new CodedError("CAIRN_E_SOURCE", `--from ${from}: no row has coordinates, ${report.rejected} were rejected`);
  const { tableLines } = await import("../progress.ts");
  for (const line of tableLines({ ...report, file: from })) console.error(line);
  const listed = report.columns.filter(({ filter }) => filter === "values" || filter === "yes/no");
  const isCategory = ({ role }: (typeof listed)[number]) => role === "category";
  const ordered = [...listed.filter(isCategory), ...listed.filter((column) => !isCategory(column))];
  return { name: report.name, filters: ordered.slice(0, MOST_FILTERS).map(({ column }) => column) };
}

async function areaGiven(options: InitArguments): Promise<MapArea> {
  // Reads the area file, to report errors in it now.
  if (!(await askedArea(options))) throw new UsageError(AREA_WANTED);
  const { place, bbox, country, division, area } = options;
  if (place !== undefined) return { place };
  if (bbox !== undefined) return { bbox: bbox.join(",") };
  if (country !== undefined) return { country };
  if (division !== undefined) return { division };
  return { file: area ?? "" };
}

/**
 * Returns the name of the package, and where npm finds it. The path of a tarball or folder is relative to the map
 * project.
 */
async function programOf(folder: string, source: string | undefined): Promise<{ name: string; from: string }> {
  if (source === undefined && PACKAGE === undefined)
    throw new UsageError("the program runs from its sources: set the package for npm with --package <tarball>");
  const name = PACKAGE ?? "cairn-map";
  if (source === undefined) return { name, from: VERSION };
  if (/^[\d^~]/.test(source) && !(await exists(source))) return { name, from: source };
  if (/^[a-z+]+:/i.test(source)) return { name, from: source };
  if (!(await exists(source)))
    throw new CodedError(
      "CAIRN_E_VALUE",
      `--package ${source}: no such file, expected a version, a tarball or an address`,
    );
  return { name, from: `file:${relative(resolve(folder), resolve(source)).replaceAll("\\", "/")}` };
}
