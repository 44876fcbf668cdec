/**
 * A disk that remembers what it was asked, and tells what a machine could find on it that lost power at any moment. Of a
 * file that was not synced the content may be empty, cut off or whole; of a name that was not synced anything may stand that
 * it stood for since its folder was synced; what was not synced keeps no order.
 * @module
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { DISK, type Disk } from "../disk/disk.ts";

/** Files by path, below the folder that is watched. */
export type DiskState = ReadonlyMap<string, Buffer>;

/** Chooses one of so many possibilities; the last is what the program saw. */
export type Choose = (possibilities: number) => number;

interface StoredFile {
  readonly content: Buffer;
  isSynced: boolean;
}

type Value = StoredFile | "folder" | undefined;

export interface RecordedDisk extends Disk {
  /** A state for each of the choosers, as it could be now. */
  readonly states: () => DiskState[];
}

export interface RecordOptions {
  /** All operations are below it. */
  readonly root: string;
  /** Whether the file's name and content are on the disk when the first operation comes. */
  readonly isDurable: (path: string) => boolean;
  readonly choosers: readonly Choose[];
  /** Told of the states before each operation. */
  readonly onOperation: (states: readonly DiskState[]) => void;
  /** Whether a rename would lead to another disk. */
  readonly isAcross?: ((from: string, to: string) => boolean) | undefined;
}

export function recordDisk({ root, isDurable, choosers, onOperation, isAcross }: RecordOptions): RecordedDisk {
  // of each name in each folder: what it stood for when the folder was synced, and since
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

  /** What is there when the first operation comes. */
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
    // only what was asked before a sync began is safe when it ends
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

/** Writes the files of a state below a folder. */
export async function writeState(state: DiskState, folder: string): Promise<void> {
  for (const [path, content] of state) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
