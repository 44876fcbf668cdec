/**
 * The folder of an extract (the rows of an area of an Overture release), with paths as in the release. `extract.json`
 * marks it as complete; `.get` has the files of an unfinished download.
 * @module
 */
import { createHash } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { OvertureType } from "../../../data/format/collections.ts";
import type { PlannedFile } from "../../../data/release/index.ts";
import { DISK, exists, makeFolder, parseJson, readOptional } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import type { AreaFilter } from "../area/index.ts";
import { ATTRIBUTION_FILE, EXTRACT_FILE, UNDER_WAY_FOLDER } from "../extract/index.ts";

const extract = z.object({
  release: z.string(),
  area: z.object({ label: z.string(), bbox: z.array(z.number()).length(4), sha256: z.string() }),
  types: z.record(
    z.string(),
    z.object({ license: z.string(), files: z.number(), rows: z.number(), bytes: z.number() }),
  ),
  /**
   * Files of the release that were downloaded in part, if their host sent an ETag. Extracts of older versions of this
   * program lack this list.
   */
  sources: z
    .array(z.object({ path: z.string(), etag: z.string(), bytes: z.number(), fetched: z.string(), rows: z.number() }))
    .optional(),
});

export type ExtractSource = NonNullable<z.infer<typeof extract>["sources"]>[number];
export type Extract = z.infer<typeof extract>;

/** Returns the folder with the files of an unfinished download in this extract's folder. */
export function underWay(out: string): string {
  return join(out, UNDER_WAY_FOLDER);
}

/** Reads `extract.json`. Undefined if the folder has none. Throws if it is invalid. */
export async function readExtract(out: string): Promise<Extract | undefined> {
  const path = join(out, EXTRACT_FILE);
  const text = await readOptional(path);
  if (text === undefined) return undefined;
  const result = extract.safeParse(parseJson(path, text));
  if (result.success) return result.data;
  throw new CodedError("CAIRN_E_EXTRACT", `${path}: does not describe an extract`);
}

/** Returns a SHA-256 in hexadecimal of the area's box, polygon and country. Equal areas have equal hashes. */
export function hashArea(area: AreaFilter): string {
  return createHash("sha256")
    .update(JSON.stringify([area.bbox, area.polygon, area.country]))
    .digest("hex");
}

/** What an extract has to contain. Without `release`, any release is accepted. */
export interface Wanted {
  readonly release: string | undefined;
  readonly area: AreaFilter;
  readonly types: readonly OvertureType[];
}

/**
 * Returns the extract in the folder. Undefined if there are no files but those of an unfinished download; then also
 * moves the rest of an older extract if that was interrupted. Throws if the extract has another release or area than
 * wanted, or if other files are there.
 */
export async function findExtract(out: string, wanted: Wanted): Promise<Extract | undefined> {
  const found = await readExtract(out);
  if (!found) {
    // Continue if moving the older extract was interrupted.
    if (await readExtract(olderFolder(underWay(out)))) await setAside(out, underWay(out));
    const unexpected = (await readdir(out).catch(() => [])).find((name) => name !== UNDER_WAY_FOLDER);
    if (unexpected !== undefined)
      throw new CodedError("CAIRN_E_EXTRACT", `${out}: holds ${unexpected}, expected an empty folder or an extract`);
    return undefined;
  }
  if (wanted.release !== undefined && found.release !== wanted.release)
    throw new CodedError(
      "CAIRN_E_EXTRACT",
      `${out}: contains release ${found.release}, requested ${wanted.release}: choose another --out`,
    );
  if (found.area.sha256 !== hashArea(wanted.area))
    throw new CodedError(
      "CAIRN_E_EXTRACT",
      `${out}: contains ${found.area.label}, requested ${wanted.area.label}: choose another --out`,
    );
  return found;
}

/**
 * Returns facts that identify the downloaded part of a release file, to find it unchanged in another release. Undefined
 * without a strong ETag. They include a hash of the footer, because an ETag may depend on time and length only.
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

/** Returns the folder, below the work folder, of an older extract whose unchanged files the download copies. */
export function olderFolder(work: string): string {
  return join(work, "older");
}

/**
 * Moves an extract into the folder of `olderFolder`, so that a new extract of the same area can copy its files. An
 * interrupted call can be repeated.
 */
export async function setAside(out: string, work: string): Promise<void> {
  const older = olderFolder(work);
  if (await exists(join(out, EXTRACT_FILE))) {
    await rm(older, { recursive: true, force: true });
    await makeFolder(older);
    // Move this file first, because it marks the folder as complete.
    await rename(join(out, EXTRACT_FILE), join(older, EXTRACT_FILE));
  }
  for (const name of await namesOfExtract(out)) await rename(join(out, name), join(older, name));
}

/** Returns the names of the folders and files of an extract, without `extract.json`. */
async function namesOfExtract(out: string): Promise<string[]> {
  return (await readdir(out)).filter((name) => name.startsWith("theme=") || name === ATTRIBUTION_FILE);
}

/** Returns the path of the stored plan of a download in its work folder. */
export function planPath(work: string): string {
  return join(work, "plan.json");
}

/** Removes the files of an unfinished download, and also a complete extract in the folder. Other files stay. */
export async function forget(out: string, work: string): Promise<void> {
  const older = await readExtract(out);
  // Files of an older extract that was moved, or of the new one.
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
