/**
 * A disk that records operations, and computes what a machine could find after a power failure. The content of an
 * unsynced file may be empty, truncated or complete. An unsynced name may refer to any file that it referred to since
 * its folder was synced. Unsynced changes have no order.
 * @module
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { DISK, type Disk } from "../base/disk/disk.ts";

/** Files by path, below the watched folder. */
export type DiskState = ReadonlyMap<string, Buffer>;

/** Chooses one of several possibilities. The last one is what the program saw. */
export type Choose = (possibilities: number) => number;

interface StoredFile {
  readonly content: Buffer;
  isSynced: boolean;
}

type Value = StoredFile | "folder" | undefined;

export interface RecordedDisk extends Disk {
  /** One possible current state per chooser. */
  readonly states: () => DiskState[];
}

export interface RecordOptions {
  /** All operations are below this folder. */
  readonly root: string;
  /** True if the file's name and content are durable before the first operation. */
  readonly isDurable: (path: string) => boolean;
  readonly choosers: readonly Choose[];
  /** Called with the possible states before each operation. */
  readonly onOperation: (states: readonly DiskState[]) => void;
  /** True if a rename would cross disks. */
  readonly isAcross?: ((from: string, to: string) => boolean) | undefined;
}

/** Creates a recording disk. */
export function recordDisk({ root, isDurable, choosers, onOperation, isAcross }: RecordOptions): RecordedDisk {
  // For each name in each folder: what it referred to at the last sync and since.
  const folders = new Map<string, Map<string, Value[]>>([[".", new Map()]]);
  let loading: Promise<void> | undefined;

  const at = (path: string): string => relative(root, path) || ".";
  const namesIn = (folder: string): Map<string, Value[]> => {
    const names = folders.get(folder) ?? new Map<string, Value[]>();
    folders.set(folder, names);
    return names;
  };
  const latest = (path: string): Value => namesIn(dirname(path)).get(basename(path))?.at(-1);
  const set = (path: string, value: Value): void => {
    const names = namesIn(dirname(path));
    names.set(basename(path), [...(names.get(basename(path)) ?? [undefined]), value]);
  };
  const makeFolder = (path: string): void => {
    if (path === "." || latest(path) === "folder") return;
    makeFolder(dirname(path));
    set(path, "folder");
  };
  const syncNames = (folder: string): void => {
    for (const values of namesIn(folder).values()) values.splice(0, values.length - 1);
  };
  const fileAt = (path: string): StoredFile => {
    const value = latest(path);
    if (value === undefined || value === "folder") throw new Error(`${path}: not a file on the recorded disk`);
    return value;
  };

  /** Loads the files that exist before the first operation. */
  const load = async (): Promise<void> => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    for (const entry of entries) if (entry.isDirectory()) makeFolder(at(join(entry.parentPath, entry.name)));
    for (const folder of [...folders.keys()]) syncNames(folder);
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const path = at(join(entry.parentPath, entry.name));
      const file = { content: await readFile(join(root, path)), isSynced: isDurable(path) };
      if (file.isSynced) namesIn(dirname(path)).set(basename(path), [file]);
      else set(path, file);
    }
  };

  function stateBy(choose: Choose): DiskState {
    const state = new Map<string, Buffer>();
    const contents = new Map<StoredFile, Buffer>();
    const walk = (folder: string): void => {
      for (const [name, values] of namesIn(folder)) {
        const value = values.length === 1 ? values[0] : values[choose(values.length)];
        const path = folder === "." ? name : `${folder}/${name}`;
        if (value === "folder") walk(path);
        else if (value) {
          const content = contents.get(value) ?? contentOf(value, choose);
          contents.set(value, content);
          state.set(path, content);
        }
      }
    };
    walk(".");
    return state;
  }

  const states = (): DiskState[] => choosers.map(stateBy);
  const before = async (): Promise<void> => {
    loading ??= load();
    await loading;
    onOperation(states());
  };

  return {
    states,
    makeFolder: async (path) => {
      await before();
      await DISK.makeFolder(path);
      makeFolder(at(path));
    },
    rename: async (from, to) => {
      await before();
      if (isAcross?.(at(from), at(to))) throw Object.assign(new Error("EXDEV: another disk"), { code: "EXDEV" });
      await DISK.rename(from, to);
      const file = fileAt(at(from));
      set(at(to), file);
      set(at(from), undefined);
    },
    copy: async (from, to) => {
      await before();
      await DISK.copy(from, to);
      set(at(to), { content: fileAt(at(from)).content, isSynced: false });
    },
    remove: async (path) => {
      await before();
      await DISK.remove(path);
      set(at(path), undefined);
    },
    removeFolder: async (path) => {
      await before();
      await DISK.removeFolder(path);
      set(at(path), undefined);
    },
    // Only operations before the start of a sync are durable when it ends.
    syncFile: async (path) => {
      await before();
      fileAt(at(path)).isSynced = true;
      await DISK.syncFile(path);
    },
    syncFolder: async (path) => {
      await before();
      syncNames(at(path));
      await DISK.syncFolder(path);
    },
  };
}

function contentOf({ content, isSynced }: StoredFile, choose: Choose): Buffer {
  if (isSynced) return content;
  const possible = [Buffer.alloc(0), content.subarray(0, content.length >> 1), content];
  return possible[choose(possible.length)] ?? content;
}

/** Writes the files of a state into a folder. */
export async function writeState(state: DiskState, folder: string): Promise<void> {
  for (const [path, content] of state) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
