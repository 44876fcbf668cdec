import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { writeManifestFile } from "../../data/format/manifest-file.ts";
import { MANIFEST_PATH } from "../../data/format/paths.ts";
import { readManifest } from "../../pipeline/builder/index/index.ts";
import { temporaryFolders } from "../../pipeline/testing/folders.ts";
import { writeSmallDataset } from "../../pipeline/testing/small-dataset/index.ts";
import { keepRelease } from "../../pipeline/tools/changes/keep-release.ts";
import { type DamagedFolder, damagedFolder } from "./damaged-folder.ts";
import { type Answer, HOSTS, type Host } from "./hosts.ts";
import { townRows } from "./town.ts";

const newFolder = temporaryFolders();
const really = globalThis.fetch;

/** The older release; the newer one without and with the files of the older one. */
let march: DamagedFolder;
let april: DamagedFolder;
let both: DamagedFolder;

beforeAll(async () => {
  march = damagedFolder(await release("march", 0));
  april = damagedFolder(await release("april", 3));
  both = damagedFolder(await release("april", 3));
  await keepRelease(march.folder, both.folder);
});
afterAll(() => vi.unstubAllGlobals());

/** A dataset without the first places. */
async function release(name: string, omitted: number): Promise<string> {
  const path = await newFolder();
  const { place = [], ...others } = townRows();
  await writeSmallDataset(path, { rows: { ...others, place: place.slice(omitted) } });
  const manifest = await readManifest(path);
  await writeFile(join(path, MANIFEST_PATH), await writeManifestFile({ ...manifest, release: name }));
  return path;
}

function ask(host: Host, path: string, from: DamagedFolder) {
  vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) => {
    const url = input instanceof Request ? input.url : String(input);
    return (url.startsWith(from.url) ? from.fetch : really)(input, init);
  });
  return host.ask({ kind: "request", path, body: undefined }, from);
}

/** Path and query of the link to the next page, in the header or in the body. */
function nextOf({ link, text }: Pick<Answer, "link" | "text">, path: string): string | undefined {
  const [, inHeader] = /<([^>]*)>; rel="next"/.exec(link ?? "") ?? [];
  const [, inBody] = /"href":"([^"]*)","rel":"next"/.exec(text) ?? [];
  const found = inHeader ?? inBody;
  if (found === undefined) return undefined;
  const { pathname, search } = new URL(found, new URL(path, "http://127.0.0.1/"));
  return pathname.slice(1) + search;
}

const idsIn = (text: string): string[] => {
  const body = JSON.parse(text) as { readonly features?: readonly { id: string }[] } | readonly { id: string }[];
  return ("features" in body ? (body.features ?? []) : (body as readonly { id: string }[])).map(({ id }) => id);
};

const LISTS = {
  "places?country=MC&limit=5": "places?country=MC&limit=1000",
  "ogc/collections/place/items?limit=9": "ogc/collections/place/items?limit=1000",
};

test.each(HOSTS)("$root: the pages of a list are of one release, whatever is published between them", async (host) => {
  for (const [path, whole] of Object.entries(LISTS)) {
    const all = idsIn((await ask(host, whole, march)).text);
    const first = await ask(host, path, march);
    const ids = idsIn(first.text);
    for (let next = nextOf(first, path); next !== undefined; ) {
      expect(next).toContain("release=march");
      const page = await ask(host, next, both);
      expect([page.status, next], page.text).toEqual([200, next]);
      ids.push(...idsIn(page.text));
      next = nextOf(page, next);
    }
    expect(ids).toEqual(all);
    expect(all).not.toEqual(idsIn((await ask(host, whole, both)).text));
  }
});

test.each(HOSTS)("$root: a page of a release that is gone is a conflict that names both", async (host) => {
  for (const path of [...Object.keys(LISTS), "places/categories?limit=1", "buildings?country=MC&limit=1"]) {
    const next = nextOf(await ask(host, path, march), path) ?? "none";
    const { status, text, tag } = await ask(host, next, april);
    expect([status, tag], text).toEqual([409, null]);
    expect(text).toContain("march");
    expect(text).toContain("april");
    expect(text).toContain("start again with the first page");
  }
});
