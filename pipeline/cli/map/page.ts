/**
 * Writes the settings of a map project into a built page: title, colours, languages, first view, logo and credits.
 * @module
 */
import { copyFile, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import type { Manifest } from "../../../data/format/manifest.ts";
import { writtenName } from "../../../data/format/own-collections.ts";
import { changeCachedFile } from "../../../web/site/precache.ts";
import { makeFolder, writeWhole } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { isShopMap, type MapSettings, type ShopMap } from "./settings.ts";

const PAGE = "index.html";
const WEB_MANIFEST = "cairn.webmanifest";

/**
 * Writes the title and the settings into the page of the folder and its web manifest. Without a `view` in the settings,
 * the page shows the box `area` first (west, south, east, north in degrees). Throws if the folder has no page.
 */
export async function setPage(folder: string, settings: MapSettings, area?: readonly number[]): Promise<void> {
  const { title, description, view, colors, languages } = settings;
  const shop = isShopMap(settings) ? shopOf(settings) : undefined;
  const content = JSON.stringify({ title, description, view, box: view ? undefined : area, colors, languages, shop });
  await changeCachedFile(folder, PAGE, (page) => {
    const titled = page
      .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(title)}</title>`)
      .replace(/(<meta (?:name="|property="og:)description" content=")[^"]*/g, (whole, start: string) =>
        description === undefined ? whole : start + escaped(description),
      )
      .replace(/(<meta property="og:title" content=")[^"]*/, (_, start: string) => start + escaped(title))
      .replace("</title>", () => `</title>\n    <meta name="cairn-map" content="${escaped(content)}" />`);
    if (!titled.includes('name="cairn-map"'))
      throw new CodedError("CAIRN_E_VALUE", `${folder}: no page, its ${PAGE} has no title`);
    return titled;
  });
  await changeCachedFile(folder, WEB_MANIFEST, (manifest) => {
    const changed = { ...(JSON.parse(manifest) as object), name: title, short_name: title };
    return `${JSON.stringify(changed, null, 2)}\n`;
  });
}

const MOST_LOGO_BYTES = 1024 * 1024;

/**
 * Copies the logo into the folder of the site, as `logo` with its ending. Throws if the file does not exist or is
 * larger than 1 MiB.
 */
export async function copyLogo(logo: string, site: string): Promise<void> {
  const found = await stat(logo).catch(() => undefined);
  if (!found?.isFile()) throw new CodedError("CAIRN_E_VALUE", `map.json: logo: ${logo} not found`);
  if (found.size > MOST_LOGO_BYTES)
    throw new CodedError(
      "CAIRN_E_VALUE",
      `map.json: logo: ${logo} has ${found.size} bytes, expected at most ${MOST_LOGO_BYTES}`,
    );
  await copyFile(logo, join(site, logoName(logo)));
}

function logoName(logo: string): string {
  return `logo${extname(logo).toLowerCase()}`;
}

/** Returns the settings that the page needs for a map of a table. */
function shopOf({ logo, filters, console }: ShopMap): object {
  return { logo: logo === undefined ? undefined : logoName(logo), filters, console };
}

/** Writes the filters to `embed/map.json`, which the element `<cairn-map list>` in other pages reads. */
export async function writeElementSettings(folder: string, { filters }: ShopMap): Promise<void> {
  const path = join(folder, "embed", "map.json");
  await makeFolder(dirname(path));
  await writeFile(path, `${JSON.stringify({ filters })}\n`);
}

/** Throws if a filter of the settings is not a column of a user's table in the dataset. */
export function refuseUnknownFilters({ filters = [] }: ShopMap, { collections }: Pick<Manifest, "collections">): void {
  const schemas = Object.values(collections).flatMap((collection) => collection?.schema ?? []);
  const columns = schemas.flatMap((schema) => schema.columns.map(({ name }) => writtenName(name)));
  const unknown = filters.filter((name) => !columns.includes(name));
  if (unknown.length > 0)
    throw new CodedError(
      "CAIRN_E_VALUE",
      `map.json: filters: no column ${unknown.join(", ")}; the table has ${columns.join(", ")}`,
    );
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const FILE = "attribution.json";

/**
 * Writes the attribution of the settings before that in the extract's `attribution.json`. An entry for the same dataset
 * replaces the extract's. Does nothing if the settings have none.
 */
export async function addCredits(extract: string, { attribution }: MapSettings): Promise<void> {
  if (attribution.length === 0) return;
  const path = join(extract, FILE);
  const found = JSON.parse(await readFile(path, "utf8")) as { dataset: string }[];
  const own = new Set(attribution.map(({ dataset }) => dataset));
  const all = [...attribution, ...found.filter(({ dataset }) => !own.has(dataset))];
  await writeWhole(path, `${JSON.stringify(all, null, 2)}\n`);
}
