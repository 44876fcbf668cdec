/** Names of kept parts: path, range and, where known, SHA-256, so that a list of names tells all that is kept. A whole pack has its path alone. @module */
import type { ByteRange } from "../../../engine/index.ts";

export interface KeptPart extends ByteRange {
  readonly path: string;
  /** Of the bytes, in hexadecimal; that of a block of records is not known. */
  readonly sha256?: string | undefined;
}

const NAME = /^([^?]+)\?(\d+)-(\d+)(?:-([0-9a-f]{64}))?$/;
const PACK = /\/[0-9a-f]{16}\.(pack|parquet)$/;

export function keptNameOf({ path, start, end, sha256 }: KeptPart): string {
  return `${path}?${start}-${end}${sha256 === undefined ? "" : `-${sha256}`}`;
}

export function parseKeptName(name: string): KeptPart | undefined {
  const [, path, start, end, sha256] = NAME.exec(name) ?? [];
  if (path !== undefined) return { path, start: Number(start), end: Number(end), sha256 };
  return isPackName(name) ? { path: name, start: 0, end: Number.POSITIVE_INFINITY } : undefined;
}

function isPackName(name: string): boolean {
  return PACK.test(name);
}
