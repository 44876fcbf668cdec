/**
 * Finds the Parquet files of the dataset's sources, with their Overture types.
 * @module
 */
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isOvertureType, type OvertureType } from "./types.ts";

export interface SourceFile {
  readonly path: string;
  readonly type: OvertureType;
  /** Name of the file's folder. */
  readonly folder: string;
}

/** Files of all arguments, sorted by path. Throws if there are none. */
export async function findSourceFiles(args: readonly string[]): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const arg of args) {
    const paths = (await stat(arg)).isDirectory() ? await walk(arg) : [arg];
    paths.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    files.push(...paths.map((path) => ({ path, type: typeOf(path), folder: basename(dirname(path)) })));
  }
  if (files.length === 0) throw new Error(`${args.join(", ")}: no Parquet file, expected source rows to compare with`);
  return files;
}

async function walk(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await walk(path)));
    else if (entry.name.endsWith(".parquet")) found.push(path);
  }
  return found;
}

/** The type from a folder `type=` in the path, otherwise from the file's name. */
function typeOf(path: string): OvertureType {
  const named = /(?:^|\/)type=([^/]+)\//.exec(path)?.[1] ?? basename(path).replace(/\..*$/, "");
  if (!isOvertureType(named)) throw new Error(`${path}: type ${named}, expected one of Overture's`);
  return named;
}
