/**
 * Lets readers of a built page fetch areas of a release: says where it is, in the head and in the policy.
 * @module
 */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OVERTURE_CATALOG } from "../../data/format/overture-hosts.ts";
import { contentSecurityPolicy, datasetElsewhere } from "../hosts/http/index.ts";

const PAGE = "index.html";
const WORKER = "service-worker.js";

/** Address of the catalogue: Overture's own for an empty text, else of a mirror. Throws when it is no address. */
export function parseAllowed(mirror: string): string {
  if (mirror === "") return OVERTURE_CATALOG;
  if (!/^https?:\/\/[^"'<>&;,\s]+$/.test(mirror) || !URL.canParse(mirror))
    throw new Error(`--allow-overture takes the address of a mirror, https: or http:, got ${mirror}`);
  const { href } = new URL(mirror);
  return href.endsWith(".json") ? href : `${href.replace(/\/?$/, "/")}catalog.json`;
}

/** Changes the page in the folder, and in its service worker the hash by which a page is known to be another. */
export async function allowRelease(folder: string, catalog: string): Promise<void> {
  const before = await readFile(join(folder, PAGE), "utf8");
  const after = withRelease(before, catalog);
  await writeFile(join(folder, PAGE), after);
  const worker = await readFile(join(folder, WORKER), "utf8");
  const listed = `{"revision":"${md5(before)}","url":"${PAGE}"}`;
  if (!worker.includes(listed))
    throw new Error(`${join(folder, WORKER)}: does not keep ${PAGE} as it is, build it anew`);
  await writeFile(join(folder, WORKER), worker.replace(listed, `{"revision":"${md5(after)}","url":"${PAGE}"}`));
}

function withRelease(html: string, catalog: string): string {
  const policy = contentSecurityPolicy("page", datasetElsewhere(html), catalog).replaceAll("'", "&#39;");
  const meta = /<meta http-equiv="Content-Security-Policy" content="[^"]*">/;
  if (!meta.test(html)) throw new Error(`${PAGE} has no policy, expected the page of a build`);
  const cleaned = html.replace(/\n?\s*<meta name="cairn-overture"[^>]*>/, "");
  return cleaned.replace(
    meta,
    () =>
      `<meta http-equiv="Content-Security-Policy" content="${policy}">\n    <meta name="cairn-overture" content="${catalog}">`,
  );
}

function md5(text: string): string {
  return createHash("md5").update(text).digest("hex");
}
