/**
 * Under which name a part of a file is kept: its path, which bytes of it they are and, where that is known, their SHA-256. So the
 * list of names tells all that is kept, and a name is known to who knows what to look for. A whole pack is kept under its path alone:
 * its own name tells what it holds.
 * @module
 */
import type { ByteRange } from "../../../engine/index.ts";

/** Bytes of a file that are kept together. */
export interface KeptPart extends ByteRange {
  /** Below the dataset's folder. */
  readonly path: string;
  /** Of the bytes, in hexadecimal; that of a block of records is not known. */
  readonly sha256?: string | undefined;
}

const NAME = /^([^?]+)\?(\d+)-(\d+)(?:-([0-9a-f]{64}))?$/;
const PACK = /\/[0-9a-f]{16}\.(pack|parquet)$/;

export function keptNameOf({ path, start, end, sha256 }: KeptPart): string {
  return `${path}?${start}-${end}${sha256 === undefined ? "" : `-${sha256}`}`;
}

/** What is kept under the name; a whole pack has no known end. Undefined for the manifest, and for what is none of these names. */
export function parseKeptName(name: string): KeptPart | undefined {
  const [, path, start, end, sha256] = NAME.exec(name) ?? [];
  if (path !== undefined) return { path, start: Number(start), end: Number(end), sha256 };
  return isPackName(name) ? { path: name, start: 0, end: Number.POSITIVE_INFINITY } : undefined;
}

/** Whether the name is that of a whole pack. */
export function isPackName(name: string): boolean {
  return PACK.test(name);
}
