/**
 * Reads a release from a STAC catalogue as Overture publishes it. @see https://github.com/radiantearth/stac-spec
 * @module
 */
import * as z from "zod/mini";
import type { BBox } from "../format/bbox.ts";
import { isOvertureType, OVERTURE_TYPES, type OvertureType } from "../format/collections.ts";
import { valid } from "../format/valid.ts";
import { type Locate, locateIn, type Mirror } from "./mirror.ts";
import { atATime, type Remote, RemoteError } from "./remote.ts";

const link = z.object({ rel: z.string(), href: z.string() });
const catalog = z.object({ id: z.string(), latest: z.optional(z.string()), links: z.array(link) });
const collection = z.object({ id: z.string(), license: z.optional(z.string()), links: z.array(link) });
const item = z.object({
  bbox: z.union([z.array(z.number()).check(z.length(4)), z.array(z.number()).check(z.length(6))]),
  assets: z.record(z.string(), z.object({ href: z.string(), type: z.optional(z.string()) })),
});

/** A release of Overture, as its catalogue describes it. */
export interface Release {
  readonly name: string;
  readonly collections: readonly ReleaseCollection[];
}

/** One type of a release, with its licence and its data files. */
export interface ReleaseCollection {
  readonly type: OvertureType;
  readonly license: string;
  /** Reads the items of all files, and returns the files whose box (degrees) passes the test. */
  readonly files: (takes: (box: BBox) => boolean) => Promise<ReleaseFile[]>;
  /** Number of all files. */
  readonly count: number;
}

interface ReleaseFile {
  /** Addresses of the same file on several hosts. */
  readonly addresses: readonly string[];
  readonly bbox: BBox;
}

/** Documents are small, so latency dominates. */
const DOCUMENTS_AT_A_TIME = 16;

/**
 * Reads the catalogue of a release, by default of the latest one. Throws `RemoteError` with the names of all releases
 * if there is no such release.
 */
export async function openRelease(remote: Remote, mirror: Mirror, wanted: string | undefined): Promise<Release> {
  const root = await readDocument(remote, mirror.catalog, catalog);
  const locate = locateIn(mirror, root.links.find(({ rel }) => rel === "self")?.href);
  const releases = new Map(children(root.links).map((href) => [nameOf(href), locate.document(href, mirror.catalog)]));
  const name = wanted ?? root.latest ?? [...releases.keys()].sort().at(-1);
  const address = name === undefined ? undefined : releases.get(name);
  if (name === undefined || address === undefined)
    throw new RemoteError(
      `${mirror.catalog}: no release ${name ?? "at all"}, it has ${[...releases.keys()].join(", ") || "none"}`,
    );
  const { links } = await readDocument(remote, address, catalog);
  const themes = await atATime(children(links), DOCUMENTS_AT_A_TIME, async (href) => {
    const at = locate.document(href, address);
    const theme = await readDocument(remote, at, catalog);
    return children(theme.links).map((child) => locate.document(child, at));
  });
  const collections = await atATime(themes.flat(), DOCUMENTS_AT_A_TIME, (at) =>
    openCollection({ remote, locate, release: name }, at),
  );
  const known = collections.filter((found) => found !== undefined);
  return { name, collections: OVERTURE_TYPES.flatMap((type) => known.filter((found) => found.type === type)) };
}

interface Context {
  readonly remote: Remote;
  readonly locate: Locate;
  readonly release: string;
}

/** Undefined for an unknown type. */
async function openCollection(context: Context, at: string): Promise<ReleaseCollection | undefined> {
  const { id, license, links } = await readDocument(context.remote, at, collection);
  if (!isOvertureType(id)) return undefined;
  const items = links.filter(({ rel }) => rel === "item").map(({ href }) => context.locate.document(href, at));
  return {
    type: id,
    license: license ?? "unknown",
    count: items.length,
    files: async (takes) => {
      const files = await atATime(items, DOCUMENTS_AT_A_TIME, (address) => readItem(context, address));
      return files.filter(({ bbox }) => takes(bbox));
    },
  };
}

async function readItem({ remote, locate, release }: Context, at: string): Promise<ReleaseFile> {
  const { bbox, assets } = await readDocument(remote, at, item);
  const named = Object.values(assets).filter(({ href, type }) => /parquet/.test(type ?? href) && !/^s3:/.test(href));
  const addresses = [...new Set(named.map(({ href }) => locate.file(href, at)))];
  if (addresses.length === 0) throw new RemoteError(`${at}: names no Parquet file`);
  for (const address of addresses) {
    const other = /\/release\/([^/]+)\//.exec(address)?.[1];
    if (other !== undefined && other !== release)
      throw new RemoteError(`${at}: a file of release ${other} in release ${release}`);
  }
  return { addresses, bbox: flatBox(bbox) };
}

/** Boxes may have heights. */
function flatBox(box: readonly number[]): BBox {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = box;
  return box.length === 6 ? [a, b, d, e] : [a, b, c, d];
}

function children(links: readonly z.infer<typeof link>[]): string[] {
  return links.filter(({ rel }) => rel === "child").map(({ href }) => href);
}

/** The name in `…/2026-10-21.0/catalog.json`. */
function nameOf(href: string): string {
  return href.split("/").at(-2) ?? href;
}

async function readDocument<T>(remote: Remote, address: string, schema: z.ZodMiniType<T>): Promise<T> {
  return valid(`STAC document ${address}`, schema, await remote.readJson(address));
}
