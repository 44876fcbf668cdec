/**
 * One build at a time for a dataset: a file that names the process.
 * @module
 */
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

const LOCK_FILE = ".build.lock";

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began: a number is given to another process later. */
  readonly begun: string;
}

/** Takes the dataset's folder for this process; the function returned gives it back. Throws when another build has it. */
export async function lockDataset(dataset: string): Promise<() => Promise<void>> {
  await mkdir(dataset, { recursive: true });
  const path = join(dataset, LOCK_FILE);
  const mine: Holder = { pid: process.pid, host: hostname(), begun: await beginningOf(process.pid) };
  while (!(await createFile(path, JSON.stringify(mine)))) {
    const holder = await readHolder(path);
    if (holder && (await isAlive(holder)))
      throw new Error(
        `${dataset}: process ${holder.pid} on ${holder.host} is building it; wait until it ends, or end it`,
      );
    // whoever renames it has it: nobody removes the lock of one who was quicker
    const stale = `${path}.${process.pid}`;
    await rename(path, stale).then(
      () => rm(stale),
      () => undefined,
    );
  }
  return () => rm(path, { force: true });
}

async function createFile(path: string, text: string): Promise<boolean> {
  const file = await open(path, "wx").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") return undefined;
    throw error;
  });
  if (!file) return false;
  await file.writeFile(text);
  await file.close();
  return true;
}

async function readHolder(path: string): Promise<Holder | undefined> {
  const text = await readFile(path, "utf8").catch(() => "");
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return undefined;
  }
}

async function isAlive({ pid, host, begun }: Holder): Promise<boolean> {
  // of another machine's processes nothing can be told
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return (await beginningOf(pid)) === begun;
}

/** When a process began, in the system's ticks; empty where the system does not tell. */
async function beginningOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // the name may hold anything, so fields are counted from its end
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
