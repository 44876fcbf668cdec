/** Makes files that several tests share. @module */
import { existsSync } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

/** Longer than any such file takes on a slow machine. */
const LOCK_MS = 15 * 60 * 1000;

/** Makes the file unless it exists. If several processes call it, one makes the file and the others wait. */
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

/** Returns true if the caller got the lock. Takes over a leftover lock. */
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
