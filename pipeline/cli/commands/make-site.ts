import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseKeys } from "../../../data/format/signature.ts";
import { type BuiltSite, copyFolder, finishSite, readManifest } from "../../../web/site/finish-site.ts";
import { parsePinned, pinKeys } from "../../../web/site/pin-key.ts";
import { exists, makeFolder } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { readSigned } from "../../tools/sign/index.ts";
import {
  copyLogo,
  isShopMap,
  type MapSettings,
  refuseUnknownFilters,
  setPage,
  writeElementSettings,
} from "../map/index.ts";

interface SiteOptions {
  readonly dataset: string;
  readonly out: string;
  readonly page: string;
  /** Settings of the map project, such as the title. */
  readonly map?: MapSettings | undefined;
  /** West, south, east and north of the map's area in degrees. The page shows this box first. */
  readonly area?: readonly number[] | undefined;
  /** Address of a catalogue of Overture releases. The page lets readers download areas from it. */
  readonly release?: string | undefined;
  /**
   * Public keys, with commas between them. The page refuses a dataset that none of them signed. Default: those of the
   * map.
   */
  readonly key?: string | undefined;
}

/** Start file of the page. A folder with this file is a built page or a site. */
const ENTRY = "index.html";

/**
 * Makes a site (the built page with a dataset and settings) in a temporary folder, and replaces `out` when it is
 * complete. Throws if `page` is not a built page, or if `out` has other files than a site. Also throws if there are
 * keys, and none of them signed the dataset.
 */
export async function makeSite({
  dataset,
  out,
  page,
  map,
  area,
  release,
  key = map?.key,
}: SiteOptions): Promise<BuiltSite> {
  const manifest = await readManifest(dataset);
  if (!(await exists(join(page, ENTRY))))
    throw new CodedError("CAIRN_E_VALUE", `--page ${page}: no built page, ${ENTRY} not found`);
  const held = await readdir(out).catch((): string[] => []);
  if (held.length > 0 && !held.includes(ENTRY))
    throw new CodedError("CAIRN_E_OUTPUT", `${out}: contains ${held[0]}, expected an empty folder or a site`);
  if (key !== undefined) {
    const { fault } = await readSigned(dataset, parseKeys(key));
    if (fault !== undefined)
      throw new CodedError("CAIRN_E_SIGNATURE", `the page would refuse ${dataset}: ${fault}; run cairn sign first`);
  }
  const made = `${out.replace(/[\\/]+$/, "")}.tmp`;
  await makeFolder(made);
  await copyFolder(page, made);
  if (map) {
    if (isShopMap(map)) {
      refuseUnknownFilters(map, manifest);
      if (map.logo !== undefined) await copyLogo(map.logo, made);
    }
    await setPage(made, map, area);
    if (isShopMap(map)) await writeElementSettings(made, map);
  }
  if (key !== undefined) await pinKeys(made, parsePinned(key));
  const site = await finishSite({ out: made, dataset, manifest, release });
  await rm(out, { recursive: true, force: true });
  await rename(made, out);
  return site;
}
