/**
 * The file system operations that publishing uses, so that tests can replace them. A change survives a power loss only
 * after a sync.
 * @module
 */

import { copyFile, open, rename, rm, rmdir } from "node:fs/promises";
import { messageOf } from "../../../data/format/message-of.ts";
import { CodedError } from "../errors/index.ts";
import { makeFolder } from "./folders.ts";

/** Operations on the disk, so that tests can count and interrupt them. */
export interface Disk {
  readonly makeFolder: (path: string) => Promise<void>;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly copy: (from: string, to: string) => Promise<void>;
  /** Does nothing if there is no such file. */
  readonly remove: (path: string) => Promise<void>;
  /** Throws if the folder is not empty. */
  readonly removeFolder: (path: string) => Promise<void>;
  readonly syncFile: (path: string) => Promise<void>;
  /** Makes durable which files the folder has: created, renamed and removed ones. */
  readonly syncFolder: (path: string) => Promise<void>;
}

/** Some systems and users cannot sync folders. These errors are ignored. */
const CANNOT_SYNC = new Set(["EINVAL", "EISDIR", "EPERM", "EACCES", "ENOTSUP"]);

/** The disk of this machine. */
export const DISK: Disk = {
  makeFolder: async (path) => {
    await makeFolder(path);
  },
  rename,
  copy: (from, to) => copyFile(from, to),
  remove: (path) => rm(path, { force: true }),
  removeFolder: (path) => rmdir(path),
  syncFile: sync,
  syncFolder: async (path) =>
    sync(path).catch((error: NodeJS.ErrnoException) => {
      if (!CANNOT_SYNC.has(error.code ?? "")) throw error;
    }),
};

async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Messages of Node, the system and DuckDB. The last one occurs if sorted data exceeds the disk. */
const FULL_DISK = /ENOSPC|No space left on device|max_temp_directory_size/;

/**
 * If the error says that the disk is full, returns a `CodedError` with the folder and the advice. Otherwise returns the
 * error itself.
 */
export function explainFullDisk(error: unknown, folder: string, advice: string): unknown {
  const said = messageOf(error);
  return FULL_DISK.test(said)
    ? new CodedError("CAIRN_E_DISK_FULL", `${folder}: the disk is full; ${advice}`, { cause: error })
    : error;
}
