/** An extract's folder, laid out as a release. `extract.json` says that it is whole; what is under way stands in `.get`. @module */
import { createHash } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { OvertureType } from "../../data/format/collections.ts";
import type { PlannedFile } from "../../data/release/index.ts";
import type { AreaFilter } from "../area/index.ts";
import { DISK, exists, makeFolder, parseJson, readOptional } from "../disk/index.ts";
import { ATTRIBUTION_FILE, EXTRACT_FILE, UNDER_WAY_FOLDER } from "../sources/index.ts";

const extract = z.object({
  release: z.string(),
  area: z.object({ label: z.string(), bbox: z.array(z.number()).length(4), sha256: z.string() }),
  types: z.record(
    z.string(),
    z.object({ license: z.string(), files: z.number(), rows: z.number(), bytes: z.number() }),
  ),
  /** Files of the release that were looked into, as far as their host gave an ETag; left out by earlier programs. */
  sources: z
    .array(z.object({ path: z.string(), etag: z.string(), bytes: z.number(), fetched: z.string(), rows: z.number() }))
    .optional(),
});

export type ExtractSource = NonNullable<z.infer<typeof extract>["sources"]>[number];
export type Extract = z.infer<typeof extract>;

export function underWay(out: string): string {
  return join(out, UNDER_WAY_FOLDER);
}

/** Undefined where there is none. */
export async function readExtract(out: string): Promise<Extract | undefined> {
  const path = join(out, EXTRACT_FILE);
  const text = await readOptional(path);
  if (text === undefined) return undefined;
  const result = extract.safeParse(parseJson(path, text));
  if (result.success) return result.data;
  throw new Error(`${path}: does not describe an extract`);
}

export function hashArea(area: AreaFilter): string {
  return createHash("sha256")
    .update(JSON.stringify([area.bbox, area.polygon, area.country]))
    .digest("hex");
}

export interface Wanted {
  readonly release: string | undefined;
  readonly area: AreaFilter;
  readonly types: readonly OvertureType[];
}

/** Throws for a folder that holds anything but an extract of this release and area. */
export async function refuseOther(out: string, wanted: Wanted): Promise<Extract | undefined> {
  const found = await readExtract(out);
  if (!found) {
    // where that was cut off
    if (await readExtract(olderFolder(underWay(out)))) await setAside(out, underWay(out));
    const stranger = (await readdir(out).catch(() => [])).find((name) => name !== UNDER_WAY_FOLDER);
    if (stranger !== undefined) throw new Error(`${out}: holds ${stranger}, expected an empty folder or an extract`);
    return undefined;
  }
  if (wanted.release !== undefined && found.release !== wanted.release)
    throw new Error(`${out}: holds release ${found.release}, and ${wanted.release} is another: give another --out`);
  if (found.area.sha256 !== hashArea(wanted.area))
    throw new Error(`${out}: holds ${found.area.label}, and ${wanted.area.label} is another: give another --out`);
  return found;
}

/**
 * What tells that a file of another release is the same, and that as much of it was fetched; undefined where its host gives
 * no ETag that stands for all bytes. An ETag alone may be made of a time and a length, so what the footer says counts too.
 */
export function sourceOf({
  version,
  byteLength,
  spans,
  footer,
}: PlannedFile): Omit<ExtractSource, "path" | "rows"> | undefined {
  if (!version.startsWith('"')) return undefined;
  const fetched = createHash("sha256")
    .update(JSON.stringify([spans, footer]))
    .digest("hex");
  return { etag: version, bytes: byteLength, fetched };
}

/** The extract of another release that the new one takes unchanged files from, while that is under way. */
export function olderFolder(work: string): string {
  return join(work, "older");
}

/** Puts an extract aside for one of the same area in its place. */
export async function setAside(out: string, work: string): Promise<void> {
  const older = olderFolder(work);
  if (await exists(join(out, EXTRACT_FILE))) {
    await rm(older, { recursive: true, force: true });
    await makeFolder(older);
    // the first to go, since it says that the folder is whole
    await rename(join(out, EXTRACT_FILE), join(older, EXTRACT_FILE));
  }
  for (const name of await namesOfExtract(out)) await rename(join(out, name), join(older, name));
}

/** Beside what says that it is whole. */
async function namesOfExtract(out: string): Promise<string[]> {
  return (await readdir(out)).filter((name) => name.startsWith("theme=") || name === ATTRIBUTION_FILE);
}

export function planPath(work: string): string {
  return join(work, "plan.json");
}

export async function forget(out: string, work: string): Promise<void> {
  const older = await readExtract(out);
  // what is left of one that was put aside, or of the new one
  if (!older && (await readExtract(olderFolder(work))))
    for (const name of await namesOfExtract(out)) await rm(join(out, name), { recursive: true });
  for (const name of ["plan.json", "raw", "facts", "made", "whole", "older"])
    await rm(join(work, name), { recursive: true, force: true });
  if (!older) return;
  await rm(join(out, EXTRACT_FILE));
  for (const type of Object.keys(older.types)) await removeType(out, type);
  await rm(join(out, ATTRIBUTION_FILE), { force: true });
}

async function removeType(out: string, type: string): Promise<void> {
  for (const theme of (await readdir(out)).filter((name) => name.startsWith("theme="))) {
    await rm(join(out, theme, `type=${type}`), { recursive: true, force: true });
    await DISK.removeFolder(join(out, theme)).catch(() => undefined);
  }
}
