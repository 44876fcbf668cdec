/**
 * The user's files, stored over a reload. They have a database of their own, which older versions of the page do not open.
 * @module
 */
import type { DBSchema } from "idb";
import { openStore } from "./stores.ts";

interface Entry {
  readonly key: string;
  readonly base: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  readonly keptAtMs: number;
}

interface Schema extends DBSchema {
  entries: { key: string; value: Entry };
  contents: { key: string; value: ArrayBuffer };
}

type KeptEntry = Omit<Entry, "base">;

/** Stored files of the site in one folder. Each method rejects when the store cannot be read or changed. */
export interface FileStore {
  /** Returns the entries in the order in which they were stored. */
  list(): Promise<readonly KeptEntry[]>;
  /** Returns the file; undefined if it was deleted. */
  read(key: string): Promise<File | undefined>;
  /** Stores the file. Returns its key; undefined where the browser gives the page no storage. */
  write(file: File): Promise<string | undefined>;
  remove(key: string): Promise<void>;
}

/** Returns the file store of the site in this folder. It is opened on first use. */
export function openFileStore(base: URL): FileStore {
  const { read, change } = openStore<Schema>({
    name: "cairn-files",
    version: 1,
    upgrade(database) {
      database.createObjectStore("entries", { keyPath: "key" });
      database.createObjectStore("contents");
    },
  });
  const folder = base.href;
  return {
    async list() {
      const all = (await read("entries", (store) => store.getAll())) ?? [];
      return all
        .filter((entry) => entry.base === folder)
        .map(({ base: _, ...entry }) => entry)
        .sort((a, b) => a.keptAtMs - b.keptAtMs);
    },
    async read(key) {
      const entry = await read("entries", (store) => store.get(key));
      const content = entry && (await read("contents", (store) => store.get(key)));
      if (!entry || !content) return undefined;
      if (content.byteLength !== entry.bytes)
        throw new Error(`${entry.name} has ${content.byteLength} bytes, expected ${entry.bytes}`);
      return new File([content], entry.name, { type: entry.type });
    },
    async write(file) {
      const content = await file.arrayBuffer();
      const key = newKey();
      const { name, type, size: bytes } = file;
      const isWritten = await change(["entries", "contents"], (transaction) => [
        transaction.objectStore("entries").put({ key, base: folder, name, type, bytes, keptAtMs: Date.now() }),
        transaction.objectStore("contents").put(content, key),
      ]);
      return isWritten ? key : undefined;
    },
    async remove(key) {
      await change(["entries", "contents"], (transaction) => [
        transaction.objectStore("entries").delete(key),
        transaction.objectStore("contents").delete(key),
      ]);
    },
  };
}

/** Unique over all tabs. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
}
