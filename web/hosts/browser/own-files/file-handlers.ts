import type { DecodeParquet } from "../../../engine/index.ts";
import type { FileCalls, RemoteHandlers } from "../protocol/index.ts";
import { FileError, type FileRow } from "./file-rows.ts";
import { createFileSearch, type SearchableFile } from "./search-file.ts";

interface HeldFile extends SearchableFile {
  readonly rows: readonly FileRow[];
}

export function fileHandlers(decoder: () => Promise<DecodeParquet>): Pick<RemoteHandlers, keyof FileCalls> {
  const files = new Map<string, HeldFile>();
  let lastId = 0;
  const held = (id: string): HeldFile => {
    const file = files.get(id);
    if (!file) throw new Error(`no file ${id}`);
    return file;
  };
  return {
    async addFile(file) {
      try {
        const { readFile } = await import("./read-file.ts");
        const { rows, leftOut } = await readFile(file, await decoder());
        const searchable = createFileSearch(rows);
        lastId += 1;
        const id = String(lastId);
        files.set(id, { ...searchable, rows });
        const added = { id, name: file.name, rows: rows.length, leftOut, bbox: searchable.bbox };
        return { kind: "added", file: added, body: rows.map(({ geometry }) => geometry) };
      } catch (error) {
        if (error instanceof FileError) return { kind: "refused", fault: error.fault };
        throw error;
      }
    },
    async removeFile(id) {
      files.delete(id);
      return undefined;
    },
    searchFile: async ({ id, ...question }) => held(id).search(question),
    async fileRow({ id, row }) {
      const found = held(id).rows[row];
      if (!found) throw new Error(`no row ${row} in file ${id}`);
      return { id: String(row + 1), type: "Feature", ...found };
    },
  };
}
