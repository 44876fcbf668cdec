/**
 * What a process holds of its own, as Linux tells it.
 * @module
 */
import { readFileSync } from "node:fs";

/** Bytes in memory that are the process's own, without pages of files, such as programs. Throws when there is no such process. */
export function ownBytes(processId: number): number {
  const kibibytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/status`, "utf8"))?.[1];
  return Number(kibibytes) * 1024;
}
