/**
 * A disk in memory that can lose power. Then a file that was not synced has older, empty, cut or complete content. A name in a
 * folder that was not synced may refer to the file of before. Unsynced changes have no order.
 * @module
 */
import type { Random } from "../../../web/engine/testing/random.ts";

export interface StoredFile {
  bytes: Buffer;
  /** The content that remains after a power failure. Undefined if the file was never synced. */
  synced: Buffer | undefined;
  changedMs: number;
  /** Number of its names. */
  links: number;
}

export interface Folder {
  readonly names: Map<string, Entry>;
  /** Names at the last sync. */
  synced: Map<string, Entry>;
}

export type Entry = StoredFile | Folder;

export const isFolder = (entry: Entry | undefined): entry is Folder => entry !== undefined && "names" in entry;

/** An error as the system throws it. */
export function systemError(code: string, call: string, path: string): NodeJS.ErrnoException {
  const said = code === "ENOSPC" ? "no space left on device" : "simulated";
  // A program asks for many files that do not exist, and a trace of calls takes time.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new Error(`${code}: ${said}, ${call} '${path}'`);
  Error.stackTraceLimit = stackTraceLimit;
  return Object.assign(error, { code, syscall: call, path });
}

const EMPTY = Buffer.alloc(0);

const newFolder = (): Folder => ({ names: new Map(), synced: new Map() });

export class SimulatedDisk {
  #root = newFolder();
  /** Bytes that still fit. */
  freeBytes = Number.POSITIVE_INFINITY;
  /** Called after each change of a path. */
  onChange: (path: string) => void = () => {};
  readonly nowMs: () => number;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  find(path: string): Entry | undefined {
    let entry: Entry = this.#root;
    for (const name of namesOf(path)) {
      const next: Entry | undefined = isFolder(entry) ? entry.names.get(name) : undefined;
      if (!next) return undefined;
      entry = next;
    }
    return entry;
  }

  /** Throws like the system if there is nothing at the path. */
  at(call: string, path: string): Entry {
    const entry = this.find(path);
    if (!entry) throw systemError("ENOENT", call, path);
    return entry;
  }

  file(call: string, path: string): StoredFile {
    const entry = this.at(call, path);
    if (isFolder(entry)) throw systemError("EISDIR", call, path);
    return entry;
  }

  folder(call: string, path: string): Folder {
    const entry = this.at(call, path);
    if (!isFolder(entry)) throw systemError("ENOTDIR", call, path);
    return entry;
  }

  makeFolder(path: string): void {
    const { names, name } = this.#parent("mkdir", path);
    if (names.has(name)) throw systemError("EEXIST", "mkdir", path);
    this.#need(1, "mkdir", path);
    names.set(name, newFolder());
    this.onChange(path);
  }

  /** Opens a file for writing: it is empty, or new. */
  create(path: string, isNew: boolean): StoredFile {
    const { names, name } = this.#parent("open", path);
    const before = names.get(name);
    if (isFolder(before)) throw systemError("EISDIR", "open", path);
    if (before && isNew) throw systemError("EEXIST", "open", path);
    const file = before ?? { bytes: EMPTY, synced: undefined, changedMs: 0, links: 1 };
    file.bytes = EMPTY;
    file.changedMs = this.nowMs();
    names.set(name, file);
    this.onChange(path);
    return file;
  }

  append(file: StoredFile, bytes: Buffer, path: string): void {
    const fitting = Math.min(bytes.length, Math.floor(this.freeBytes));
    // A copy takes most of the time of a session. The bytes of tasks never change.
    if (fitting > 0)
      file.bytes =
        file.bytes.length > 0 ? Buffer.concat([file.bytes, bytes.subarray(0, fitting)]) : bytes.subarray(0, fitting);
    file.changedMs = this.nowMs();
    this.onChange(path);
    this.#need(bytes.length, "write", path);
  }

  rename(from: string, to: string): void {
    const [source, target] = [this.#parent("rename", from), this.#parent("rename", to)];
    const moved = source.names.get(source.name);
    if (!moved) throw systemError("ENOENT", "rename", from);
    this.#sameDisk("rename", from, to);
    const other = target.names.get(target.name);
    if (isFolder(other) && other.names.size > 0) throw systemError("ENOTEMPTY", "rename", to);
    // Two names of one file both stay.
    if (moved === other) return;
    if (other && !isFolder(other)) other.links--;
    source.names.delete(source.name);
    target.names.set(target.name, moved);
    this.onChange(from);
    this.onChange(to);
  }

  link(from: string, to: string): void {
    const file = this.file("link", from);
    const { names, name } = this.#parent("link", to);
    this.#sameDisk("link", from, to);
    if (names.has(name)) throw systemError("EEXIST", "link", to);
    file.links++;
    names.set(name, file);
    this.onChange(to);
  }

  remove(path: string): void {
    const { names, name } = this.#parent("unlink", path);
    this.file("unlink", path).links--;
    names.delete(name);
    this.onChange(path);
  }

  removeFolder(path: string): void {
    if (this.folder("rmdir", path).names.size > 0) throw systemError("ENOTEMPTY", "rmdir", path);
    const { names, name } = this.#parent("rmdir", path);
    names.delete(name);
    this.onChange(path);
  }

  sync(entry: Entry): void {
    if (isFolder(entry)) entry.synced = new Map(entry.names);
    else entry.synced = entry.bytes;
  }

  /** Syncs all, as a disk does after some time. */
  syncAll(entry: Entry = this.#root): void {
    this.sync(entry);
    if (isFolder(entry)) for (const below of entry.names.values()) this.syncAll(below);
  }

  /** Replaces the content by one that a power failure may leave. */
  losePower(random: Random): void {
    const lost = random.of([0.1, 0.5, 0.9, 1]);
    const contents = new Map<StoredFile, Buffer>();
    const files = new Map<StoredFile, StoredFile>();
    const isLost = () => random.between(0, 1) < lost;
    const contentOf = (file: StoredFile): Buffer => {
      const { bytes, synced } = file;
      const left =
        contents.get(file) ??
        (bytes === synced || !isLost()
          ? bytes
          : random.of([synced ?? EMPTY, EMPTY, bytes.subarray(0, bytes.length >> 1)]));
      contents.set(file, left);
      return left;
    };
    const survive = (entry: Entry): Entry => {
      if (!isFolder(entry)) {
        const bytes = contentOf(entry);
        const left = files.get(entry) ?? { bytes, synced: bytes, changedMs: entry.changedMs, links: 0 };
        left.links++;
        files.set(entry, left);
        return left;
      }
      const left = newFolder();
      for (const name of new Set([...entry.synced.keys(), ...entry.names.keys()])) {
        const [before, now] = [entry.synced.get(name), entry.names.get(name)];
        const found = before !== now && isLost() ? before : now;
        if (found) left.names.set(name, survive(found));
      }
      left.synced = new Map(left.names);
      return left;
    };
    this.#root = survive(this.#root) as Folder;
  }

  /** Paths of all files below a folder. */
  *paths(folder: string): Generator<string> {
    const found = this.find(folder);
    if (!isFolder(found)) return;
    for (const [name, entry] of found.names) {
      const path = `${folder}/${name}`;
      if (isFolder(entry)) yield* this.paths(path);
      else yield path;
    }
  }

  #parent(call: string, path: string): { readonly names: Map<string, Entry>; readonly name: string } {
    const at = path.lastIndexOf("/");
    const folder = this.find(path.slice(0, at));
    if (!isFolder(folder)) throw systemError(folder ? "ENOTDIR" : "ENOENT", call, path);
    return { names: folder.names, name: path.slice(at + 1) };
  }

  /** Throws if the disk is full. */
  #need(bytes: number, call: string, path: string): void {
    this.freeBytes = Math.max(0, this.freeBytes - bytes);
    if (this.freeBytes === 0) throw systemError("ENOSPC", call, path);
  }

  /** Folders at the top are disks of their own. */
  #sameDisk(call: string, from: string, to: string): void {
    if (namesOf(from)[0] !== namesOf(to)[0]) throw systemError("EXDEV", call, to);
  }
}

const namesOfPaths = new Map<string, readonly string[]>();

function namesOf(path: string): readonly string[] {
  const names = namesOfPaths.get(path) ?? path.split("/").filter((name) => name !== "" && name !== ".");
  if (namesOfPaths.size > 100_000) namesOfPaths.clear();
  namesOfPaths.set(path, names);
  return names;
}
