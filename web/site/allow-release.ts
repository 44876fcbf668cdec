/**
 * Lets users of a built page fetch areas of an Overture release: writes the URL of the catalogue into the page's head and policy.
 * @module
 */
import { OVERTURE_CATALOG } from "../../data/format/overture-hosts.ts";
import { mirrorAt } from "../../data/release/index.ts";
import { contentSecurityPolicy, datasetElsewhere } from "../hosts/http/index.ts";
import { changeCachedFile } from "./precache.ts";

const PAGE = "index.html";

/** Returns the URL of the catalogue: Overture's own for an empty text, otherwise the given mirror. Throws for an invalid URL. */
export function parseAllowed(mirror: string): string {
  if (mirror === "") return OVERTURE_CATALOG;
  if (!/^https?:\/\/[^"'<>&;,\s]+$/.test(mirror) || !URL.canParse(mirror))
    throw new Error(`--allow-overture takes the https: or http: URL of a mirror, got ${mirror}`);
  return mirrorAt(new URL(mirror).href).catalog;
}

/**
 * Changes the built page in the folder so that users may fetch areas from the catalogue. Throws if it is not the page of a build.
 */
export async function allowRelease(folder: string, catalog: string): Promise<void> {
  await changeCachedFile(folder, PAGE, (html) => withRelease(html, catalog));
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
