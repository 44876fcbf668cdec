import type { Stats } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { z } from "zod";
import {
  type CollectionName,
  isOvertureType,
  OVERTURE_TYPES,
  type OvertureType,
} from "../../../data/format/collections.ts";
import { TABLE_FILE } from "../../../data/tables/index.ts";
import { type HashedFile, readOptional } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { ATTRIBUTION_FILE, EXTRACT_FILE, UNDER_WAY_FOLDER } from "../../overture/extract/index.ts";
import { copyCommand, filesAt, isAddress, rootOf } from "./remote-sources.ts";

type SourceFormat = "parquet" | "geojson" | "geojsonl" | "table";

/** A file among the sources of a build. */
export interface SourceFile {
  readonly path: string;
  readonly name: string;
  /** The folder that was given as a source, or the folder of the file that was given. */
  readonly root: string;
  /** Whether the file itself was given as a source. If it is not in Overture's schema, it is read as a table. */
  readonly isNamed?: boolean;
  readonly format: SourceFormat;
}

/** A source file as tasks of a build read it. */
export interface PlannedSource {
  readonly path: string;
  readonly name: string;
  readonly format: SourceFormat;
  readonly type: CollectionName;
  /** Of a table: path of a Parquet file with the rows that could not be read. */
  readonly rejects?: string | undefined;
  /** The reference system of its coordinates, instead of the one that the file states. */
  readonly crs?: string | undefined;
  /**
   * A file with the filter of the wanted rows. Default: all rows. A file, because outlines are large and all sources
   * share it.
   */
  readonly area?: HashedFile | undefined;
}

const FORMATS: readonly (readonly [suffix: string, format: SourceFormat])[] = [
  [".parquet", "parquet"],
  [".geoparquet", "parquet"],
  [".gpq", "parquet"],
  [".geojson", "geojson"],
  [".json", "geojson"],
  [".geojsonl", "geojsonl"],
  [".geojsons", "geojsonl"],
  [".geojsonseq", "geojsonl"],
  [".ndjson", "geojsonl"],
  [".jsonl", "geojsonl"],
];

/**
 * Returns the files of all sources: paths, addresses, folders, and `@list` for the paths in a file. Throws if a source
 * has no file, or if a file is listed twice.
 */
export async function findSources(args: readonly string[]): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const arg of await expandLists(args)) {
    const found = isAddress(arg) ? await remoteFilesOf(arg) : await filesOf(arg);
    if (found.length === 0)
      throw new CodedError("CAIRN_E_SOURCE", `${arg}: no source file, expected ${FORMATS.map(([s]) => s).join(", ")}`);
    files.push(...found);
  }
  const paths = files.map(({ path }) => (isAddress(path) ? path : resolve(path)));
  const twice = paths.find((path, i) => paths.indexOf(path) !== i);
  if (twice !== undefined) throw new CodedError("CAIRN_E_SOURCE", `${twice}: listed twice`);
  return files;
}

/** Replaces `@list` by the paths in that file, relative to its folder. */
async function expandLists(args: readonly string[]): Promise<string[]> {
  const lists = args.map(async (arg) => {
    if (!arg.startsWith("@")) return [arg];
    const path = arg.slice(1);
    const text = await readFile(path, "utf8");
    const lines = text.split("\n").map((line) => line.trim());
    const named = lines.filter((line) => line !== "" && !line.startsWith("#"));
    if (named.length === 0)
      throw new CodedError("CAIRN_E_SOURCE", `${arg}: names no source, expected a path on each line`);
    return named.map((line) => (isAddress(line) ? line : resolve(dirname(path), line)));
  });
  return (await Promise.all(lists)).flat();
}

/** Over the network, only Parquet can be read. */
async function remoteFilesOf(address: string): Promise<SourceFile[]> {
  const format = formatOf(address);
  if (format !== undefined && format !== "parquet")
    throw new CodedError(
      "CAIRN_E_SOURCE",
      `${address}: GeoJSON is read from a disk; copy it first: ${copyCommand(address)}`,
    );
  const [files, root] = [await filesAt(address), rootOf(address).replace(/^file:\/\//, "")];
  return files.sort(compareBytes).map((path) => {
    const below = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : basename(path);
    return { path, name: below, root, format: "parquet" };
  });
}

async function filesOf(arg: string): Promise<SourceFile[]> {
  const info = await stat(arg);
  if (!info.isDirectory()) {
    const format = formatOf(arg);
    refuseOtherKinds(arg, info);
    const file = { path: arg, name: basename(arg), root: dirname(arg), isNamed: true };
    return [{ ...file, format: format ?? "table" }];
  }
  const paths = await walk(arg);
  return paths.sort(compareBytes).flatMap((path) => {
    const format = basename(path) === TABLE_FILE ? undefined : formatOf(path);
    return format ? [{ path, name: relative(arg, path).replaceAll(sep, "/"), root: arg, format }] : [];
  });
}

/** A pipe or a device may never end, and sources are read more than once. */
function refuseOtherKinds(path: string, info: Stats): void {
  if (info.isFile()) return;
  const kind = info.isFIFO() ? "a pipe" : info.isSocket() ? "a socket" : "a device";
  throw new CodedError("CAIRN_E_SOURCE", `${path}: is ${kind}, expected a file; write its content to a file first`);
}

/**
 * Returns the text of a file that describes sources; undefined if there is no such file. Throws for a pipe or a device.
 */
export async function readNextToSources(path: string): Promise<string | undefined> {
  const info = await stat(path).catch(() => undefined);
  if (info && !info.isDirectory()) refuseOtherKinds(path, info);
  return readOptional(path);
}

const BROKEN_LINK = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

/**
 * Lists files with the ending of a source. Skips names that start with `_` or `.`, as Hive readers do. `above` has the
 * real paths of the parent folders.
 */
async function walk(folder: string, above: readonly string[] = []): Promise<string[]> {
  const here = await realpath(folder);
  if (above.includes(here))
    throw new CodedError(
      "CAIRN_E_SOURCE",
      `${folder}: a symbolic link to ${here}, a folder that holds it; remove the link`,
    );
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (/^[._]/.test(entry.name)) continue;
    const path = join(folder, entry.name);
    const isSource = formatOf(path) !== undefined;
    // A broken link is an error only if it has the ending of a source. After another error, sources would be missing.
    const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
      if (isSource || !BROKEN_LINK.has(error.code ?? "")) throw error;
    });
    if (info?.isDirectory()) found.push(...(await walk(path, [...above, here])));
    else if (info && isSource) {
      refuseOtherKinds(path, info);
      found.push(path);
    }
  }
  return found;
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function formatOf(path: string): SourceFormat | undefined {
  if ([ATTRIBUTION_FILE, EXTRACT_FILE].includes(basename(path))) return undefined;
  return FORMATS.find(([suffix]) => path.toLowerCase().endsWith(suffix))?.[1];
}

/**
 * Returns the type in a folder `type=…` of the path, as in Overture's releases; undefined without such a folder. Throws
 * if it is no type of Overture.
 */
export function typeOfPath(path: string): OvertureType | undefined {
  const parts = path.split(/[\\/]/).reverse();
  const named = parts.map((part) => /^type=(.*)$/.exec(part)?.[1]).find((name) => name !== undefined);
  if (named === undefined || isOvertureType(named)) return named;
  throw unknownType(path, `type=${named} in its path`);
}

/** Returns the Overture type that is the file's name without its ending; undefined for another name. */
export function typeOfName(path: string): OvertureType | undefined {
  const stem = basename(path).replace(/\..*$/s, "");
  return isOvertureType(stem) ? stem : undefined;
}

/** Returns the error for a source whose type is not known. `found` says what was found instead. */
export function unknownType(path: string, found: string): Error {
  const ways = "a type=<type> folder, a constant type column, or the file's name";
  return new CodedError(
    "CAIRN_E_SOURCE",
    `${path}: type unknown (${found}); set it with ${ways}: one of ${OVERTURE_TYPES.join(", ")}; a table of your own is given as a file, not as a folder, if need be with --name`,
  );
}

const extract = z.object({ release: z.string() });

/**
 * Returns the release from which all files were downloaded, by the `extract.json` in the given folders; undefined if
 * some have none. Throws for two releases or an incomplete extract.
 */
export async function releaseOfExtracts(files: readonly SourceFile[]): Promise<string | undefined> {
  const roots = [...new Set(files.filter(({ path }) => !isAddress(path)).map(({ root }) => root))];
  const releases = await Promise.all(roots.map(releaseIn));
  const [first, other] = new Set(releases.filter((release) => release !== undefined));
  if (other !== undefined)
    throw new CodedError("CAIRN_E_SOURCE", `sources of two releases, ${first} and ${other}: build a dataset of each`);
  return files.some(({ path }) => isAddress(path)) || releases.includes(undefined) ? undefined : first;
}

async function releaseIn(root: string): Promise<string | undefined> {
  const isUnderWay = await stat(join(root, UNDER_WAY_FOLDER, "plan.json")).catch(() => undefined);
  if (isUnderWay)
    throw new CodedError("CAIRN_E_EXTRACT", `${root}: the extract is incomplete: run its cairn get again`);
  const path = join(root, EXTRACT_FILE);
  const text = await readNextToSources(path);
  if (text === undefined) return undefined;
  try {
    return extract.parse(JSON.parse(text)).release;
  } catch (cause) {
    throw new CodedError("CAIRN_E_EXTRACT", `${path}: does not describe an extract`, { cause });
  }
}
