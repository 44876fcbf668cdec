/**
 * Memory of a process from Linux.
 * @module
 */
import { readFileSync } from "node:fs";

/** Bytes of the process's own memory, without file pages such as programs. Throws if the process does not exist. */
export function ownBytes(processId: number): number {
  return statusBytes(processId, "RssAnon");
}

/** Peak resident bytes of the process, including file pages. Throws if the process does not exist. */
export function peakBytes(processId: number): number {
  return statusBytes(processId, "VmHWM");
}

function statusBytes(processId: number, name: string): number {
  const status = readFileSync(`/proc/${processId}/status`, "utf8");
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) * 1024;
}
