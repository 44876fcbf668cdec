/**
 * IndexedDB: saved areas, and when kept files were used. Where the browser gives none, nothing is remembered.
 * @module
 */
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Use, UseLog } from "../cache/cache-uses.ts";
import type { Area, AreaFiles, AreaStore, Part } from "./area-store.ts";

interface Schema extends DBSchema {
  areas: { key: string; value: Area & { readonly base: string } };
  /** Key: id and part. */
  files: { key: [string, Part]; value: AreaFiles };
  /** Key: folder of the dataset and path. */
  uses: { key: [string, string]; value: Use & { readonly base: string } };
}

const NAME = "cairn";
const VERSION = 1;

/** What is remembered for the dataset in this folder. */
export interface BrowserStore {
  readonly areas: AreaStore;
  readonly uses: UseLog;
}

export function openBrowserStore(base: URL): BrowserStore {
  let opening: Promise<IDBPDatabase<Schema>> | undefined;
  /** Opened when first needed; a failure is not remembered, nor is a connection that the browser ended. */
  function open(): Promise<IDBPDatabase<Schema>> {
    opening ??= openDB<Schema>(NAME, VERSION, {
      upgrade(database) {
        database.createObjectStore("areas", { keyPath: "id" });
        database.createObjectStore("files");
        database.createObjectStore("uses", { keyPath: ["base", "path"] });
      },
      blocking: forget,
      terminated: forget,
    });
    opening.catch(forget);
    return opening;
  }
  function forget(): void {
    opening?.then(
      (database) => database.close(),
      () => {},
    );
    opening = undefined;
  }
  const folder = base.href;
  /** Private windows may refuse: then there are no areas. */
  const opened = () => open().catch(() => undefined);
  const strip = ({ base: _, ...area }: Schema["areas"]["value"]): Area => area;

  return {
    areas: {
      async areas() {
        const all = (await (await opened())?.getAll("areas")) ?? [];
        return all
          .filter(({ base }) => base === folder)
          .map(strip)
          .sort((a, b) => a.createdAtMs - b.createdAtMs);
      },
      async area(id) {
        const area = await (await opened())?.get("areas", id);
        return area && strip(area);
      },
      files: async (id, part) => (await opened())?.get("files", [id, part]),
      async write(area, parts = {}) {
        const transaction = (await open()).transaction(["areas", "files"], "readwrite");
        const files = transaction.objectStore("files");
        await Promise.all([
          transaction.objectStore("areas").put({ ...area, base: folder }),
          ...Object.entries(parts).map(([part, value]) =>
            value ? files.put(value, [area.id, part as Part]) : files.delete([area.id, part as Part]),
          ),
          transaction.done,
        ]);
      },
      async remove(id) {
        const transaction = (await open()).transaction(["areas", "files"], "readwrite");
        await Promise.all([
          transaction.objectStore("areas").delete(id),
          transaction.objectStore("files").delete([id, "saved"]),
          transaction.objectStore("files").delete([id, "next"]),
          transaction.done,
        ]);
      },
    },
    uses: {
      uses: async () => (await (await opened())?.getAll("uses", IDBKeyRange.bound([folder], [folder, []]))) ?? [],
      async write(uses) {
        const transaction = (await opened())?.transaction("uses", "readwrite");
        if (!transaction) return;
        await Promise.all([...uses.map((use) => transaction.store.put({ ...use, base: folder })), transaction.done]);
      },
      async forget(paths) {
        const transaction = (await opened())?.transaction("uses", "readwrite");
        if (!transaction) return;
        await Promise.all([...paths.map((path) => transaction.store.delete([folder, path])), transaction.done]);
      },
    },
  };
}
