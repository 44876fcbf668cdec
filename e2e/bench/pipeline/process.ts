/**
 * Runs a program and measures what it took: time, processor time, memory, and room on disk.
 * @module
 */
import { spawn } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

export interface Taken {
  readonly seconds: number;
  /** Of all processors together; other programs on the machine blur it far less than the time. */
  readonly processorSeconds: number;
  /** Peak resident memory of the process and of those that it started. */
  readonly memoryBytes: number;
  /** Most that the watched folder held at a time. */
  readonly diskBytes: number;
}

/** How often processes are looked at; shorter peaks of memory are told all the same. */
const LOOK_MS = 500;

/** How often the disk is looked at, unless that takes longer than its share of the time. Shorter peaks are missed. */
const LOOK_AT_DISK_MS = 5000;

/** Part of the time that goes into looking at the disk at most: a folder of many files takes a while. */
const SHARE_FOR_DISK = 0.01;

/** Linux counts processor time in these, whatever the machine. */
const TICKS_PER_SECOND = 100;

/** Runs Node with the arguments. Throws when it fails, with what it said. */
export async function measureNode(args: readonly string[], watched: string): Promise<Taken> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  let code: number | null | undefined;
  void ended.then((value) => {
    code = value;
  });
  const taken = { processorSeconds: 0, memoryBytes: 0, diskBytes: 0 };
  let lookAtDiskMs = 0;
  while (code === undefined) {
    const family = await familyOf(child.pid ?? 0);
    const looks = await Promise.all(family.map(lookAt));
    const sum = (key: keyof Look): number => looks.reduce((total, look) => total + look[key], 0);
    taken.processorSeconds = Math.max(taken.processorSeconds, sum("processorSeconds"));
    taken.memoryBytes = Math.max(taken.memoryBytes, sum("memoryBytes"));
    const begun = performance.now();
    if (begun >= lookAtDiskMs) {
      taken.diskBytes = Math.max(taken.diskBytes, await sizeOfFolder(watched));
      lookAtDiskMs = begun + Math.max(LOOK_AT_DISK_MS, (performance.now() - begun) / SHARE_FOR_DISK);
    }
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, LOOK_MS))]);
  }
  if (code !== 0) throw new Error(`${args.join(" ")}: exit code ${code}: ${said.trim().split("\n").at(-1)}`);
  return { ...taken, seconds: (performance.now() - start) / 1000 };
}

interface Look {
  readonly processorSeconds: number;
  readonly memoryBytes: number;
}

/** The process and all that it started, at any depth. */
async function familyOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const children = text.split(" ").flatMap((part) => (part.trim() === "" ? [] : [Number(part)]));
  return [pid, ...(await Promise.all(children.map(familyOf))).flat()];
}

/** Nothing for a process that has ended. */
async function lookAt(pid: number): Promise<Look> {
  const [status, times] = await Promise.all(
    ["status", "stat"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "")),
  );
  const peakKb = /^VmHWM:\s+(\d+) kB$/m.exec(status ?? "")?.[1] ?? "0";
  // the name of the program stands in brackets and may hold spaces; fields are counted from what follows
  const fields = (times ?? "").slice((times ?? "").lastIndexOf(")") + 2).split(" ");
  const ticks = [11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place] ?? 0), 0);
  return { processorSeconds: ticks / TICKS_PER_SECOND, memoryBytes: Number(peakKb) * 1024 };
}

/** Bytes of all files below the folder; 0 when it is not there. */
export async function sizeOfFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sizeOfFolder(path);
      // a file may go while we look
      return stat(path).then(
        ({ size }) => size,
        () => 0,
      );
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
