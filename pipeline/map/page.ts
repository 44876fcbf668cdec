/** A map's own title, colours, languages and first view, in a built page. @module */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { MapSettings } from "./settings.ts";

const PAGE = "index.html";
const WORKER = "service-worker.js";
const WEB_MANIFEST = "cairn.webmanifest";

/** Changes the page in the folder: what its maker set stands in its head, where the page's script finds it. */
export async function setPage(folder: string, settings: MapSettings): Promise<void> {
  const { title, view, colors, languages } = settings;
  const page = await readFile(join(folder, PAGE), "utf8");
  const content = JSON.stringify({ title, view, colors, languages });
  const titled = page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(title)}</title>`)
    .replace(/(<meta property="og:title" content=")[^"]*/, (_, start: string) => start + escaped(title))
    .replace("</title>", () => `</title>\n    <meta name="cairn-map" content="${escaped(content)}" />`);
  if (!titled.includes('name="cairn-map"')) throw new Error(`${join(folder, PAGE)}: no page, it has no title`);
  await writeFile(join(folder, PAGE), titled);
  const manifest = JSON.parse(await readFile(join(folder, WEB_MANIFEST), "utf8")) as object;
  await writeFile(
    join(folder, WEB_MANIFEST),
    `${JSON.stringify({ ...manifest, name: title, short_name: title }, null, 2)}\n`,
  );
  await renewWorker(folder, [PAGE, WEB_MANIFEST]);
}

/** A visitor's service worker takes files anew whose revision is another. */
async function renewWorker(folder: string, names: readonly string[]): Promise<void> {
  let worker = await readFile(join(folder, WORKER), "utf8");
  for (const name of names) {
    const revision = createHash("md5")
      .update(await readFile(join(folder, name)))
      .digest("hex");
    const entry = new RegExp(`(\\{"revision":")[0-9a-f]+(","url":"${name.replaceAll(".", "\\.")}"\\})`);
    if (name === PAGE && !entry.test(worker)) throw new Error(`${join(folder, WORKER)}: does not keep ${name}`);
    worker = worker.replace(entry, (_, start: string, end: string) => start + revision + end);
  }
  await writeFile(join(folder, WORKER), worker);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
