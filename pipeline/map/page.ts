/** Writes a map's title, colours, languages and first view into a built page. @module */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { changeCachedFile } from "../../web/build/precache.ts";
import { writeWhole } from "../disk/index.ts";
import type { MapSettings } from "./settings.ts";

const PAGE = "index.html";
const WEB_MANIFEST = "cairn.webmanifest";

/** Changes the page in the folder: its head contains the settings of `map.json`, and otherwise the area's box. */
export async function setPage(folder: string, settings: MapSettings, area?: readonly number[]): Promise<void> {
  const { title, view, colors, languages } = settings;
  const content = JSON.stringify({ title, view, box: view ? undefined : area, colors, languages });
  await changeCachedFile(folder, PAGE, (page) => {
    const titled = page
      .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(title)}</title>`)
      .replace(/(<meta property="og:title" content=")[^"]*/, (_, start: string) => start + escaped(title))
      .replace("</title>", () => `</title>\n    <meta name="cairn-map" content="${escaped(content)}" />`);
    if (!titled.includes('name="cairn-map"')) throw new Error(`${folder}: no page, its ${PAGE} has no title`);
    return titled;
  });
  await changeCachedFile(folder, WEB_MANIFEST, (manifest) => {
    const changed = { ...(JSON.parse(manifest) as object), name: title, short_name: title };
    return `${JSON.stringify(changed, null, 2)}\n`;
  });
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const FILE = "attribution.json";

/** Puts the map's attribution before the extract's. An entry for the same dataset replaces the extract's. */
export async function addCredits(extract: string, { attribution }: MapSettings): Promise<void> {
  if (attribution.length === 0) return;
  const path = join(extract, FILE);
  const found = JSON.parse(await readFile(path, "utf8")) as { dataset: string }[];
  const own = new Set(attribution.map(({ dataset }) => dataset));
  const all = [...attribution, ...found.filter(({ dataset }) => !own.has(dataset))];
  await writeWhole(path, `${JSON.stringify(all, null, 2)}\n`);
}
