/**
 * `node:fs/promises` of a simulated process, as far as the builder uses it. Each call is one event, before which the process may
 * end, fail or be suspended.
 * @module
 */
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { type Entry, isFolder, type SimulatedDisk, type StoredFile, systemError } from "./disk.ts";

export interface Call {
  readonly name: string;
  readonly path: string;
}

export interface Caller {
  /** Does the work of a call. A process that is killed within the call does only `half`. */
  readonly io: <T>(call: Call, work: () => T, half?: () => void) => Promise<T>;
  /** Content of files that the system makes, such as `/proc/<pid>/stat`; undefined if there is no such file. */
  readonly systemFile: (path: string) => string | undefined;
  /** An unpredictable text of this many hexadecimal digits. */
  readonly unique: (digits: number) => string;
}

const contentOf = (content: string | Uint8Array): Buffer =>
  typeof content === "string" ? Buffer.from(content) : Buffer.isBuffer(content) ? content : Buffer.from(content);

const statOf = (entry: Entry) => ({
  size: isFolder(entry) ? 0 : entry.bytes.length,
  nlink: isFolder(entry) ? 1 : entry.links,
  mtimeMs: isFolder(entry) ? 0 : entry.changedMs,
  isDirectory: () => isFolder(entry),
  isFile: () => !isFolder(entry),
  isFIFO: () => false,
  isSocket: () => false,
});

interface Named {
  readonly name: string;
  readonly parentPath: string;
  isDirectory(): boolean;
  isFile(): boolean;
}

interface Removing {
  readonly recursive?: boolean;
  readonly force?: boolean;
}

/** Returns the functions. `callerOf` returns the process that calls. */
export function filesOf(disk: SimulatedDisk, callerOf: () => Caller) {
  const io = <T>(name: string, path: string, work: () => T, half?: () => void): Promise<T> =>
    callerOf().io({ name, path }, work, half);

  function handleOf(entry: Entry, path: string) {
    const file = (): StoredFile => {
      if (isFolder(entry)) throw systemError("EISDIR", "read", path);
      return entry;
    };
    const append = (content: string | Uint8Array) => {
      const bytes = contentOf(content);
      return io(
        "write",
        path,
        () => disk.append(file(), bytes, path),
        () => disk.append(file(), bytes.subarray(0, bytes.length >> 1), path),
      );
    };
    return {
      readFile: (encoding?: "utf8") =>
        io("read", path, () => (encoding ? file().bytes.toString(encoding) : file().bytes)),
      read: (target: Uint8Array, offset: number, length: number, position: number) =>
        io("read", path, () => ({ bytesRead: file().bytes.copy(target, offset, position, position + length) })),
      writeFile: append,
      sync: () => io("fsync", path, () => disk.sync(entry)),
      stat: () => io("fstat", path, () => statOf(entry)),
      utimes: (_: Date, changed: Date) =>
        io("futimes", path, () => {
          file().changedMs = changed.getTime();
        }),
      close: () => io("close", path, () => {}),
    };
  }

  const files = {
    access: (path: string) => io("access", path, () => void disk.at("access", path)),
    stat: (path: string) => io("stat", path, () => statOf(disk.at("stat", path))),
    lstat: (path: string) => io("lstat", path, () => statOf(disk.at("lstat", path))),
    realpath: (path: string) => io("realpath", path, () => disk.at("realpath", path)).then(() => path),
    async open(path: string, flags = "r") {
      const entry = await io("open", path, () =>
        flags === "r" ? disk.at("open", path) : disk.create(path, flags === "wx"),
      );
      return handleOf(entry, path);
    },
    async readFile(path: string, options?: "utf8" | { encoding?: "utf8" }) {
      const encoding = typeof options === "string" ? options : options?.encoding;
      return io("open", path, () => {
        const made = callerOf().systemFile(path);
        const bytes = made === undefined ? disk.file("open", path).bytes : Buffer.from(made);
        return encoding ? bytes.toString(encoding) : bytes;
      });
    },
    readlink: async (path: string) => callerOf().systemFile(path) ?? "",
    async writeFile(path: string, content: string | Uint8Array) {
      const handle = await files.open(path, "w");
      await handle.writeFile(content);
    },
    async copyFile(from: string, to: string) {
      await files.writeFile(to, await io("copyfile", from, () => disk.file("copyfile", from).bytes));
    },
    async cp(from: string, to: string, { recursive = false } = {}): Promise<void> {
      const entry = await io("lstat", from, () => disk.at("lstat", from));
      if (!isFolder(entry)) return files.copyFile(from, to);
      if (!recursive) throw systemError("EISDIR", "cp", from);
      await files.mkdir(to).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      });
      for (const name of [...entry.names.keys()]) await files.cp(join(from, name), join(to, name), { recursive });
    },
    mkdir: (path: string) => io("mkdir", path, () => disk.makeFolder(path)),
    async mkdtemp(prefix: string) {
      const path = `${prefix}${callerOf().unique(6)}`;
      await files.mkdir(path);
      return path;
    },
    readdir: async (path: string, { withFileTypes = false, recursive = false } = {}): Promise<(string | Named)[]> => {
      const found = await io("scandir", path, () => [...disk.folder("scandir", path).names]);
      if (!withFileTypes) return found.map(([name]) => name);
      const entries: (string | Named)[] = [];
      for (const [name, entry] of found) {
        entries.push({ name, parentPath: path, isDirectory: () => isFolder(entry), isFile: () => !isFolder(entry) });
        if (recursive && isFolder(entry))
          entries.push(...(await files.readdir(join(path, name), { withFileTypes, recursive })));
      }
      return entries;
    },
    rename: (from: string, to: string) => io("rename", to, () => disk.rename(from, to)),
    link: (from: string, to: string) => io("link", to, () => disk.link(from, to)),
    rmdir: (path: string) => io("rmdir", path, () => disk.removeFolder(path)),
    async rm(path: string, { recursive = false, force = false }: Removing = {}): Promise<void> {
      const entry = await io("lstat", path, () => disk.find(path));
      if (!entry) {
        if (force) return;
        throw systemError("ENOENT", "rm", path);
      }
      const ignoreMissing = (error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
      };
      if (!isFolder(entry)) return io("unlink", path, () => disk.remove(path)).catch(ignoreMissing);
      if (!recursive) throw systemError("ERR_FS_EISDIR", "rm", path);
      for (const name of [...entry.names.keys()]) await files.rm(join(path, name), { recursive, force: true });
      await files.rmdir(path).catch(ignoreMissing);
    },
  };
  const createReadStream = (path: string) =>
    Readable.from(
      (async function* () {
        const bytes = await files.readFile(path);
        if (bytes.length > 0) yield bytes;
      })(),
    );
  return { files, createReadStream };
}

/** Functions of the module. */
export const FILE_CALLS = [
  ...([
    "access",
    "copyFile",
    "cp",
    "link",
    "lstat",
    "mkdir",
    "mkdtemp",
    "open",
    "readdir",
    "readFile",
    "readlink",
  ] as const),
  ...(["realpath", "rename", "rm", "rmdir", "stat", "writeFile"] as const),
];

/** Makes a folder and its parents at once, without a call of a process. */
export function prepareFolder(disk: SimulatedDisk, path: string): void {
  if (disk.find(path)) return;
  prepareFolder(disk, dirname(path));
  disk.makeFolder(path);
}
