/** A map's own title, colours, languages and first view, in a built page. @module */
import { changeKeptFile } from "../../web/build/kept-file.ts";
import type { MapSettings } from "./settings.ts";

const PAGE = "index.html";
const WEB_MANIFEST = "cairn.webmanifest";

/** Changes the page in the folder: what its maker set stands in its head, where the page's script finds it. */
export async function setPage(folder: string, settings: MapSettings): Promise<void> {
  const { title, view, colors, languages } = settings;
  const content = JSON.stringify({ title, view, colors, languages });
  await changeKeptFile(folder, PAGE, (page) => {
    const titled = page
      .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(title)}</title>`)
      .replace(/(<meta property="og:title" content=")[^"]*/, (_, start: string) => start + escaped(title))
      .replace("</title>", () => `</title>\n    <meta name="cairn-map" content="${escaped(content)}" />`);
    if (!titled.includes('name="cairn-map"')) throw new Error(`${folder}: no page, its ${PAGE} has no title`);
    return titled;
  });
  await changeKeptFile(folder, WEB_MANIFEST, (manifest) => {
    const changed = { ...(JSON.parse(manifest) as object), name: title, short_name: title };
    return `${JSON.stringify(changed, null, 2)}\n`;
  });
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
