/**
 * Allows one build at a time per dataset. The lock file names the process of the build. While the build runs, it renews
 * the file's modification time.
 *
 * @module
 */
import { randomUUID } from "node:crypto";
import { link, lstat, open, readdir, readFile, readlink, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { CodedError } from "../errors/index.ts";
import { makeFolder } from "./folders.ts";

const LOCK_FILE = ".build.lock";

/** No build waits this long, so older drafts and claims are leftovers. */
const LEFTOVER_MS = 3_600_000;

const MOST_SHOWN_CHARS = 60;

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Boot and PID namespace in which `pid` is valid; empty if the system does not report it. */
  readonly system: string;
  /** Start time of the process, because pids are reused. */
  readonly begun: string;
  readonly id: string;
}

/** Times of a lock in milliseconds. `onWait` gets a line for people while the lock is not free. */
export interface LockOptions {
  readonly heartbeatMs?: number;
  /** How long to watch a lock if this system cannot look up its process. */
  readonly staleMs?: number;
  readonly onWait?: ((message: string) => void) | undefined;
}

/** The lock of a dataset's folder, held by this process. */
export interface DatasetLock {
  readonly id: string;
  /** Throws if another build took over the lock, which happens if this process was suspended for long. */
  readonly assertHeld: () => Promise<void>;
  readonly release: () => Promise<void>;
}

/**
 * Creates the dataset's folder if it is missing, and locks it. Takes over the lock of a dead process: at once if this
 * system can look up the process, otherwise after `staleMs` without renewal. Throws if another build has the lock, or
 * if the lock file is invalid.
 */
export async function lockDataset(
  dataset: string,
  { heartbeatMs = 5_000, staleMs = 60_000, onWait }: LockOptions = {},
): Promise<DatasetLock> {
  await makeFolder(dataset);
  const path = join(dataset, LOCK_FILE);
  const [system, begun] = await Promise.all([systemHere(), startOf(process.pid)]);
  const mine: Holder = { pid: process.pid, host: hostname(), system, begun, id: randomUUID() };
  const draft = `${path}.${mine.id}`;
  const handle = await open(draft, "wx");
  const heartbeat = (): void => {
    void handle.utimes(new Date(), new Date()).catch(() => undefined);
  };
  const heartbeats = setInterval(heartbeat, heartbeatMs).unref();
  const stop = async (): Promise<void> => {
    clearInterval(heartbeats);
    await handle.close();
  };
  try {
    await handle.writeFile(JSON.stringify(mine));
    await handle.sync();
    await take({ path, draft, mine, staleMs, onWait });
    await removeLeftovers(dataset);
  } catch (error) {
    await stop();
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return {
    id: mine.id,
    assertHeld: () => assertLocked(dataset, mine.id),
    release: async () => {
      await stop();
      if ((await look(path))?.holder?.id === mine.id) await rm(path, { force: true });
    },
  };
}

/** Throws if the dataset no longer has the lock with this id. For processes that work for the build with the lock. */
export async function assertLocked(dataset: string, id: string): Promise<void> {
  const path = join(dataset, LOCK_FILE);
  const sight = await look(path);
  if (sight?.holder?.id === id) return;
  const said = sight && !sight.holder ? whoseIs(sight) : "another build took over the lock and has the folder now";
  throw new CodedError("CAIRN_E_LOCKED", `${path}: ${said}`);
}

interface Taking {
  readonly path: string;
  readonly draft: string;
  readonly mine: Holder;
  readonly staleMs: number;
  readonly onWait: LockOptions["onWait"];
}

async function take({ path, draft, mine, staleMs, onWait }: Taking): Promise<void> {
  const watch = createWatch(mine, staleMs);
  // Time to watch a lock and then a leftover claim.
  const endMs = performance.now() + 3 * staleMs;
  let isReported = false;
  while (!(await linkNew(draft, path))) {
    const lock = await watch(path);
    if (lock) {
      if (!lock.holder && lock.isAlive !== undefined)
        throw new CodedError(
          "CAIRN_E_LOCKED",
          `${path}: ${whoseIs(lock)}; if no build runs, remove that file and build again`,
        );
      if (lock.isAlive)
        throw new CodedError(
          "CAIRN_E_LOCKED",
          `${path}: ${whoseIs(lock)}; wait until it ends, or end it. If there is no such process, remove that file`,
        );
      if (lock.isAlive === false && (await succeed({ path, draft, lock, watch }))) return;
      if (lock.isAlive === undefined && !isReported) {
        isReported = true;
        onWait?.(`${path}: ${whoseIs(lock)}; waiting up to ${patienceMs(lock, staleMs) / 1000} s for a sign of life`);
      }
    }
    if (performance.now() > endMs)
      throw new CodedError(
        "CAIRN_E_LOCKED",
        `${path}: other builds take the lock repeatedly; if no build runs, remove ${path}* and build again`,
      );
    await setTimeout(Math.min(1_000, staleMs / 20));
  }
}

interface Sight {
  /** Undefined if the lock is invalid. */
  readonly holder: Holder | undefined;
  readonly text: string;
  readonly changedMs: number;
}

interface Watched extends Sight {
  readonly isAlive: boolean | undefined;
}

/**
 * Watches a lock file. Returns undefined if it does not exist. Compares modification times with each other, never with
 * this machine's clock.
 */
function createWatch({ host, system }: Holder, staleMs: number): (path: string) => Promise<Watched | undefined> {
  const seen = new Map<string, { readonly sight: Sight; readonly sinceMs: number }>();
  return async (path) => {
    const sight = await look(path);
    if (!sight) return undefined;
    const { holder, text, changedMs } = sight;
    if (holder?.host === host && holder.system === system) return { ...sight, isAlive: await isRunning(holder) };
    const before = seen.get(path);
    const isSame = before?.sight.text === text;
    if (isSame && before.sight.changedMs !== changedMs) return { ...sight, isAlive: true };
    if (!isSame) seen.set(path, { sight, sinceMs: performance.now() });
    const isStale = isSame && performance.now() - before.sinceMs > patienceMs(sight, staleMs);
    return { ...sight, isAlive: isStale ? false : undefined };
  };
}

/** A lock without a holder is incomplete. On slow file systems this state is visible for a moment. */
function patienceMs({ holder }: Sight, staleMs: number): number {
  return holder ? staleMs : staleMs / 10;
}

async function look(path: string): Promise<Sight | undefined> {
  try {
    if (!(await lstat(path)).isFile()) return { holder: undefined, text: "it is no file", changedMs: 0 };
    // Opening the file avoids the metadata cache of a network file system.
    const handle = await open(path, "r");
    try {
      const text = await handle.readFile("utf8");
      return { holder: parseHolder(text), text, changedMs: (await handle.stat()).mtimeMs };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    return { holder: undefined, text: `it cannot be read (${code})`, changedMs: 0 };
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Holder;
    const areTexts = [holder.host, holder.system, holder.begun, holder.id].every((value) => typeof value === "string");
    return areTexts && Number.isInteger(holder.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

function whoseIs({ holder, text }: Sight): string {
  if (holder) return `process ${holder.pid} on ${holder.host} is building this dataset`;
  return `names no build: ${text === "" ? "it is empty" : text.slice(0, MOST_SHOWN_CHARS)}`;
}

interface Succession extends Pick<Taking, "path" | "draft"> {
  readonly lock: Sight;
  readonly watch: ReturnType<typeof createWatch>;
}

/** Replaces the lock of a dead process. If several processes try, the first to link its claim wins. */
async function succeed({ path, draft, lock, watch }: Succession): Promise<boolean> {
  const claim = `${path}.after-${lock.holder?.id}`;
  if (!(await linkNew(draft, claim))) {
    // The owner of the claim was killed.
    if ((await watch(claim))?.isAlive === false) await rm(claim, { force: true });
    return false;
  }
  const current = await look(path);
  const isStill = current?.text === lock.text && current.changedMs === lock.changedMs;
  if (isStill) await rename(draft, path);
  await rm(claim, { force: true });
  return isStill;
}

/** False if the name exists. */
async function linkNew(from: string, to: string): Promise<boolean> {
  return link(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return false;
      throw error;
    },
  );
}

async function removeLeftovers(dataset: string): Promise<void> {
  for (const name of await readdir(dataset)) {
    if (!name.startsWith(`${LOCK_FILE}.`)) continue;
    const path = join(dataset, name);
    const changedMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    );
    if (Date.now() - changedMs > LEFTOVER_MS) await rm(path, { force: true });
  }
}

async function systemHere(): Promise<string> {
  const [boot, namespace] = await Promise.all([
    readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => ""),
    readlink("/proc/self/ns/pid").catch(() => ""),
  ]);
  return `${boot.trim()} ${namespace}`.trim();
}

/**
 * Returns whether the process with this pid still runs. `begun` is its start time from `startOf`, because another
 * process may have the pid now.
 */
export async function isRunning({ pid, begun }: Pick<Holder, "pid" | "begun">): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return (await startOf(pid)) === begun;
}

/**
 * Returns the start time of a process in ticks since the system started; an empty text if the system does not report
 * it.
 */
export async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The second field, a name, may contain spaces, so count fields after its closing parenthesis.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
