/**
 * Runs a program and measures time, processor time, memory, and disk space.
 * @module
 */
import { spawn } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

export interface Taken {
  readonly seconds: number;
  /** Of all processors. Other programs affect it much less than the elapsed time. */
  readonly processorSeconds: number;
  /** Peak resident memory of the process and its descendants. */
  readonly memoryBytes: number;
  /** Peak size of the watched folder. */
  readonly diskBytes: number;
}

/** Interval of checks. Shorter memory peaks are also reported. */
const LOOK_MS = 500;

/** Interval of disk checks, unless they exceed their share of the time. Shorter peaks are missed. */
const LOOK_AT_DISK_MS = 5000;

/** Maximum share of the time for disk checks, because large folders are slow. */
const SHARE_FOR_DISK = 0.01;

/** Linux counts processor time in this unit on all machines. */
const TICKS_PER_SECOND = 100;

/** Runs Node with the arguments. On failure, throws with its output. */
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

/** The process and all of its descendants. */
async function familyOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const children = text.split(" ").flatMap((part) => (part.trim() === "" ? [] : [Number(part)]));
  return [pid, ...(await Promise.all(children.map(familyOf))).flat()];
}

/** Empty for an ended process. */
async function lookAt(pid: number): Promise<Look> {
  const [status, times] = await Promise.all(
    ["status", "stat"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "")),
  );
  const peakKb = /^VmHWM:\s+(\d+) kB$/m.exec(status ?? "")?.[1] ?? "0";
  // The program's name is in parentheses and may contain spaces, so count fields after it.
  const fields = (times ?? "").slice((times ?? "").lastIndexOf(")") + 2).split(" ");
  const ticks = [11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place] ?? 0), 0);
  return { processorSeconds: ticks / TICKS_PER_SECOND, memoryBytes: Number(peakKb) * 1024 };
}

/** Bytes of all files in the folder; 0 if it does not exist. */
export async function sizeOfFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sizeOfFolder(path);
      // A file may disappear meanwhile.
      return stat(path).then(
        ({ size }) => size,
        () => 0,
      );
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
