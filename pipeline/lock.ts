/**
 * One build at a time for a dataset: a file that names the process.
 * @module
 */
import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const LOCK_FILE = ".build.lock";

/** Who has a claim needs a moment. */
const CLAIM_MS = 20;

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
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(mine));
  try {
    while (!(await linkNew(draft, path))) {
      const holder = await readHolder(path);
      if (!holder) continue;
      if (await isAlive(holder))
        throw new Error(
          `${dataset}: process ${holder.pid} on ${holder.host} is building it; wait until it ends, or end it`,
        );
      if (await succeed(draft, path, holder)) break;
    }
  } finally {
    await rm(draft, { force: true });
  }
  return () => rm(path, { force: true });
}

/**
 * Puts the draft in the place of the lock of a process that is gone. Of several that try, one has the right to: the
 * first that leaves its claim under the name of that process.
 */
async function succeed(draft: string, path: string, { pid, begun }: Holder): Promise<boolean> {
  const claim = `${path}.after-${pid}-${begun}`;
  if (!(await linkNew(draft, claim))) {
    const other = await readHolder(claim);
    // it was cut off on the way
    if (other && !(await isAlive(other))) await rm(claim, { force: true });
    await setTimeout(CLAIM_MS);
    return false;
  }
  const current = await readHolder(path);
  const isStill = current?.pid === pid && current.begun === begun;
  if (isStill) await rename(draft, path);
  await rm(claim, { force: true });
  return isStill;
}

/** Gives the file another name, with all that is in it; false when that name is taken. */
async function linkNew(from: string, to: string): Promise<boolean> {
  return link(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return false;
      throw error;
    },
  );
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
