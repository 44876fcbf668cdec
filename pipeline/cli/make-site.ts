import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type BuiltSite, copyFolder, finishSite, readManifest } from "../../web/build/finish-site.ts";
import { exists, makeFolder } from "../disk/index.ts";
import { type MapSettings, setPage } from "../map/index.ts";

export interface SiteOptions {
  readonly dataset: string;
  readonly out: string;
  /** Folder of the built page. */
  readonly page: string;
  /** What the page is to be called, and the like. */
  readonly map?: MapSettings | undefined;
  /** Box of the map's area, which the page shows first. */
  readonly area?: readonly number[] | undefined;
  /** Address of a catalogue of releases, of which readers may fetch areas. */
  readonly release?: string | undefined;
}

/** The page's entry: a folder that has it is a page, or a site. */
const ENTRY = "index.html";

/** Makes the site beside its folder, and puts it in its place when it is whole. */
export async function makeSite({ dataset, out, page, map, area, release }: SiteOptions): Promise<BuiltSite> {
  const manifest = await readManifest(dataset);
  if (!(await exists(join(page, ENTRY)))) throw new Error(`--page ${page}: no built page, it has no ${ENTRY}`);
  const held = await readdir(out).catch((): string[] => []);
  if (held.length > 0 && !held.includes(ENTRY))
    throw new Error(`${out}: holds ${held[0]}, expected an empty folder or a site`);
  const made = `${out.replace(/[\\/]+$/, "")}.tmp`;
  await makeFolder(made);
  await copyFolder(page, made);
  if (map) await setPage(made, map, area);
  const site = await finishSite({ out: made, dataset, manifest, release });
  await rm(out, { recursive: true, force: true });
  await rename(made, out);
  return site;
}
