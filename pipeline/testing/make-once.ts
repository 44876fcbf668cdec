/** Things that several test files need, made by the first that asks. @module */
import { existsSync } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

/** Longer than anything takes on the slowest machine. */
const LOCK_MS = 15 * 60 * 1000;

/** Makes the file unless it exists; of processes that ask at the same time, one makes it and the others wait. */
export async function makeOnce(file: string, lock: string, make: () => Promise<void>): Promise<void> {
  while (!existsSync(file)) {
    if (!(await takeLock(lock))) {
      await setTimeout(200);
      continue;
    }
    try {
      if (!existsSync(file)) await make();
    } finally {
      await rm(lock, { recursive: true });
    }
  }
}

/** Whether the lock is now the caller's. One that was left behind is taken over. */
async function takeLock(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch {
    const made = await stat(lock).catch(() => undefined);
    if (made && Date.now() - made.mtimeMs > LOCK_MS) await rm(lock, { recursive: true, force: true });
    return false;
  }
}
