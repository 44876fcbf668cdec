/** Plans the download of an extract. @module */
import type { BBox } from "../format/bbox.ts";
import { COLLECTIONS, type OvertureType } from "../format/collections.ts";
import { newFile, type Span } from "../parquet/index.ts";
import { type AreaFilter, shareOfBox } from "./area-filter.ts";
import type { Release, ReleaseCollection } from "./catalog.ts";
import { openParquet, pickGroups } from "./footers.ts";
import { atATime, ChangedFileError, type Remote, type RemoteFile } from "./remote.ts";

/** Which row groups of a file of a release to download, and the footer of the new file from them. */
export interface PlannedFile {
  readonly type: OvertureType;
  /** Path of the downloaded file in the extract's folder. */
  readonly path: string;
  readonly address: string;
  readonly byteLength: number;
  readonly version: string;
  readonly groups: number;
  /** Rows in the selected row groups. */
  readonly rows: number;
  /** Estimate of the wanted rows. */
  readonly estimate: number;
  /** Bytes to download, without the footer. */
  readonly bytes: number;
  readonly spans: readonly Span[];
  /** The footer of the downloaded file, in base64. */
  readonly footer: string;
}

interface PlannedType {
  readonly type: OvertureType;
  readonly license: string;
  /** Number of all files of the type. */
  readonly ofFiles: number;
  /** Number of row groups in the files whose footers were read. */
  readonly ofGroups: number;
}

/** What to download for an area of a release. */
export interface ExtractPlan {
  readonly release: string;
  readonly area: AreaFilter;
  readonly types: readonly PlannedType[];
  readonly files: readonly PlannedFile[];
}

const FOOTERS_AT_A_TIME = 8;

interface PlanOptions {
  readonly remote: Remote;
  readonly release: Release;
  readonly area: AreaFilter;
  readonly types: readonly OvertureType[];
}

/**
 * Returns the plan of an extract (the rows of an area of a release): which row groups of which files to download. Reads
 * the catalogue and footers, no rows.
 */
export async function planExtract({ remote, release, area, types }: PlanOptions): Promise<ExtractPlan> {
  const collections = release.collections.filter(({ type }) => types.includes(type));
  const share = shareOfBox(area);
  const planned = [];
  for (const collection of collections) planned.push(await planType(remote, collection, share));
  return {
    release: release.name,
    area,
    types: planned.map(({ type }) => type),
    files: planned.flatMap(({ files }) => files),
  };
}

async function planType(
  remote: Remote,
  { type, license, count, files }: ReleaseCollection,
  share: (box: BBox) => number,
): Promise<{ type: PlannedType; files: PlannedFile[] }> {
  const near = await files((box) => share(box) > 0);
  const looked = await atATime(near, FOOTERS_AT_A_TIME, ({ addresses }) =>
    planFile(remote, { type, addresses, share }),
  );
  return {
    type: { type, license, ofFiles: count, ofGroups: looked.reduce((sum, { ofGroups }) => sum + ofGroups, 0) },
    files: looked.flatMap(({ file }) => (file ? [file] : [])),
  };
}

interface FileOptions {
  readonly type: OvertureType;
  readonly addresses: readonly string[];
  readonly share: (box: BBox) => number;
}

async function planFile(
  remote: Remote,
  { type, addresses, share }: FileOptions,
): Promise<{ ofGroups: number; file?: PlannedFile }> {
  const { file, metadata } = await openParquet(remote, addresses);
  const ofGroups = metadata.row_groups.length;
  const picked = pickGroups(metadata, share);
  if (picked.length === 0) return { ofGroups };
  const indexes = picked.map(({ index }) => index);
  const { spans, footer } = newFile(metadata, indexes);
  const name = decodeURIComponent(new URL(file.address).pathname.split("/").at(-1) ?? "part.parquet");
  return {
    ofGroups,
    file: {
      type,
      path: `theme=${COLLECTIONS[type].theme}/type=${type}/${name}`,
      address: file.address,
      byteLength: file.byteLength,
      version: file.version,
      groups: picked.length,
      rows: picked.reduce((sum, { rows }) => sum + rows, 0),
      estimate: picked.reduce((sum, { estimate }) => sum + estimate, 0),
      bytes: spans.reduce((sum, { start, end }) => sum + end - start, 0),
      spans,
      footer: base64Of(footer),
    },
  };
}

/** Opens the source of a planned file. Throws `ChangedFileError` if its version or length is not that of the plan. */
export async function openPlanned(remote: Remote, planned: PlannedFile): Promise<RemoteFile> {
  const { address, version, byteLength } = planned;
  const file = await remote.open(address);
  if (file.version === version && file.byteLength === byteLength) return file;
  throw new ChangedFileError(
    `${address}: changed since the extract was begun, from ${version} to ${file.version}: the release was replaced`,
  );
}

/** Maximum number of arguments in a call. */
const AT_ONCE = 8192;

function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += AT_ONCE) text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  return btoa(text);
}
