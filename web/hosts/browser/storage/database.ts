/**
 * IndexedDB for saved areas and for uses of cached files. Without IndexedDB nothing is remembered; if it fails, every call
 * rejects. @module
 */
import type { DBSchema } from "idb";
import type { Area } from "../protocol/index.ts";
import type { AreaFiles, AreaStore, Part } from "./area-store.ts";
import type { Use, UseLog } from "./cache-uses.ts";
import { openStore } from "./stores.ts";

interface Schema extends DBSchema {
  areas: { key: string; value: Area & { readonly base: string } };
  /** Key: id and part. */
  files: { key: [string, Part]; value: AreaFiles };
  /** Key: folder of the dataset and path. */
  uses: { key: [string, string]; value: Use & { readonly base: string } };
}

interface BrowserStore {
  readonly areas: AreaStore;
  readonly uses: UseLog;
}

/** Returns the stores of the dataset in this folder. They are opened on first use. */
export function openBrowserStore(base: URL): BrowserStore {
  const { read, change } = openStore<Schema>({
    name: "cairn",
    version: 1,
    upgrade(database) {
      database.createObjectStore("areas", { keyPath: "id" });
      database.createObjectStore("files");
      database.createObjectStore("uses", { keyPath: ["base", "path"] });
    },
  });
  const folder = base.href;
  const strip = ({ base: _, ...area }: Schema["areas"]["value"]): Area => area;

  return {
    areas: {
      async areas() {
        const all = (await read("areas", (store) => store.getAll())) ?? [];
        return all
          .filter(({ base }) => base === folder)
          .map(strip)
          .sort((a, b) => a.createdAtMs - b.createdAtMs);
      },
      async area(id) {
        const area = await read("areas", (store) => store.get(id));
        return area && strip(area);
      },
      files: (id, part) => read("files", (store) => store.get([id, part])),
      async write(area, parts = {}) {
        const isWritten = await change(["areas", "files"], (transaction) => {
          const files = transaction.objectStore("files");
          return [
            transaction.objectStore("areas").put({ ...area, base: folder }),
            ...Object.entries(parts).map(([part, value]) =>
              value ? files.put(value, [area.id, part as Part]) : files.delete([area.id, part as Part]),
            ),
          ];
        });
        if (!isWritten) throw new Error("this browser gives the page no IndexedDB: areas cannot be saved");
      },
      async remove(id) {
        await change(["areas", "files"], (transaction) => [
          transaction.objectStore("areas").delete(id),
          transaction.objectStore("files").delete([id, "saved"]),
          transaction.objectStore("files").delete([id, "next"]),
        ]);
      },
    },
    uses: {
      uses: async () => (await read("uses", (store) => store.getAll(IDBKeyRange.bound([folder], [folder, []])))) ?? [],
      async write(uses) {
        await change(["uses"], ({ store }) => uses.map((use) => store.put({ ...use, base: folder })));
      },
      async forget(paths) {
        await change(["uses"], ({ store }) => paths.map((path) => store.delete([folder, path])));
      },
    },
  };
}
