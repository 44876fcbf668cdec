/**
 * What a process holds, as Linux tells it.
 * @module
 */
import { readFileSync } from "node:fs";

/** Bytes in memory that are the process's own, without pages of files, such as programs. Throws when there is no such process. */
export function ownBytes(processId: number): number {
  return statusBytes(processId, "RssAnon");
}

/** The most bytes that the process has had in memory, pages of files among them. Throws when there is no such process. */
export function peakBytes(processId: number): number {
  return statusBytes(processId, "VmHWM");
}

function statusBytes(processId: number, name: string): number {
  const status = readFileSync(`/proc/${processId}/status`, "utf8");
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) * 1024;
}
