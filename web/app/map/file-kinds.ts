/**
 * What the files of an answer are, told from their paths.
 * @module
 */
import type { AnswerReport } from "../../hosts/browser/protocol/search-calls.ts";

export type ReadFile = AnswerReport["files"][number];
export const FILE_KINDS = ["manifest", "page", "location", "shape", "id", "term"] as const;
export type FileKind = (typeof FILE_KINDS)[number];

const FOLDERS: readonly (readonly [folder: string, kind: FileKind])[] = [
  ["/_pages/", "page"],
  ["/_shape/", "shape"],
  ["/_id/", "id"],
  ["/country=", "location"],
];

/** The kind of a file of the dataset: which run or part of the index it belongs to. */
export function kindOf(path: string): FileKind {
  if (path === "manifest.json") return "manifest";
  const own = /^[^/]+(\/_[a-z]+\/)/.exec(path)?.[1];
  return FOLDERS.find(([folder]) => (own ? own === folder : path.includes(folder)))?.[1] ?? "term";
}

/** Files and bytes by where they came from, the farthest first; what nothing came from is left out. */
export function byOrigin(files: readonly ReadFile[]): { from: ReadFile["from"]; files: number; bytes: number }[] {
  return (["network", "cache", "memory"] as const).flatMap((from) => {
    const own = files.filter((file) => file.from === from);
    return own.length > 0 ? [{ from, files: own.length, bytes: own.reduce((sum, { bytes }) => sum + bytes, 0) }] : [];
  });
}
