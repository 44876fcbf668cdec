import { loadPart } from "../parts/index.ts";
import {
  type AddedFile,
  type ExportArgument,
  type ExportedRows,
  FILES_CHANNEL,
  type FileCalls,
  type FileToAdd,
  type KeepResult,
  MOST_LISTED,
  type RemoteHandlers,
} from "../protocol/index.ts";
import { type FileStore, openFileStore, storageEstimate } from "../storage/index.ts";
import type { HeldFile } from "./held-file.ts";
import { FileError } from "./read-file.ts";

interface Open {
  readonly held: HeldFile;
  /** Key of the file in the store; undefined if it is not stored. */
  key: string | undefined;
}

interface Adding {
  readonly key?: string;
  readonly columns?: FileToAdd["columns"];
}

interface FileHandlersOptions {
  readonly base: () => URL;
}

interface OwnFiles {
  /** Handlers for the user's own files. The code that reads and searches them is loaded with the first file. */
  readonly handlers: Pick<RemoteHandlers, keyof FileCalls>;
  /** Returns the rows of the user's files for an export; undefined if it includes none. */
  exportedRows(argument: ExportArgument): Promise<ExportedRows | undefined>;
}

/** Returns handlers for the user's own files, which keep the opened files in memory. */
export function openOwnFiles({ base }: FileHandlersOptions): OwnFiles {
  const files = new Map<string, Open>();
  let removed: { readonly id: string; readonly open: Open } | undefined;
  let lastId = 0;
  let opened: FileStore | undefined;
  const channel = new BroadcastChannel(FILES_CHANNEL);
  const store = (): FileStore => {
    opened ??= openFileStore(base());
    return opened;
  };
  const open = (id: string): Open => {
    const file = files.get(id);
    if (!file) throw new Error(`no file ${id} is open`);
    return file;
  };

  async function add(content: File, { key, columns }: Adding = {}): Promise<AddedFile> {
    try {
      const { holdFile } = await loadPart(() => import("./held-file.ts"));
      lastId += 1;
      const id = String(lastId);
      const tables = new Set(Array.from(files.values(), ({ held }) => held.file.table));
      const held = await holdFile(content, { id, tables, isKept: key !== undefined, columns });
      files.set(id, { held, key });
      return added(held);
    } catch (error) {
      if (error instanceof FileError) return { kind: "refused", fault: error.fault };
      throw error;
    }
  }

  function added(held: HeldFile, isKept = held.file.isKept): AddedFile {
    return { kind: "added", file: { ...held.file, isKept }, body: held.rows.map(({ geometry }) => geometry) };
  }

  async function keep(file: Open): Promise<KeepResult> {
    if (file.key !== undefined) return { kind: "kept" };
    try {
      file.key = await store().write(file.held.content);
    } catch (error) {
      const neededBytes = file.held.content.size;
      const { quota, usage = 0 } = await storageEstimate();
      const freeBytes = quota === undefined ? undefined : Math.max(0, quota - usage);
      // on a full disk the request may report only an abort
      const isFull = error instanceof Error && error.name === "QuotaExceededError";
      if (isFull || (freeBytes !== undefined && freeBytes < neededBytes))
        return { kind: "full", neededBytes, freeBytes };
      throw error;
    }
    if (file.key === undefined) return { kind: "forbidden" };
    channel.postMessage(undefined);
    return { kind: "kept" };
  }

  async function forget(file: Open): Promise<void> {
    if (file.key === undefined) return;
    await store().remove(file.key);
    file.key = undefined;
    channel.postMessage(undefined);
  }

  const handlers: OwnFiles["handlers"] = {
    addFile: ({ file, columns }) => add(file, { columns }),
    async removeFile(id) {
      const file = open(id);
      const { key } = file;
      // a file that cannot be forgotten stays, so that it does not return after a reload
      await forget(file);
      files.delete(id);
      removed = { id, open: { held: file.held, key } };
      return undefined;
    },
    async restoreFile(id) {
      if (removed?.id !== id) return undefined;
      const { held, key: before } = removed.open;
      removed = undefined;
      const file: Open = { held, key: undefined };
      files.set(id, file);
      const isKept = before !== undefined && (await keep(file).catch(() => undefined))?.kind === "kept";
      return added(held, isKept);
    },
    async searchFile({ id, search }, signal) {
      const { matches, ...answer } = await open(id).held.search(search, signal);
      return { ...answer, matches: matches.slice(0, MOST_LISTED) };
    },
    async joinFiles(question, signal) {
      const { joinFiles } = await loadPart(() => import("./held-file.ts"));
      return joinFiles(
        Array.from(files.values(), ({ held }) => held),
        question,
        signal,
      );
    },
    async fileRow({ id, row }) {
      const { held } = open(id);
      const found = held.rows[row];
      if (!found) throw new Error(`no row ${row} in file ${id}`);
      return { feature: { id: String(row + 1), type: "Feature", ...found }, title: held.titleOf(row) };
    },
    fileTable: async (id) => open(id).held.table(),
    keepFile: (id) => keep(open(id)),
    async forgetFile(id) {
      await forget(open(id));
      return undefined;
    },
    async keptFiles() {
      const kept = await store().list();
      const ids = new Map<string, string>();
      for (const [id, file] of files) {
        // another tab forgot it
        if (!kept.some(({ key }) => key === file.key)) file.key = undefined;
        if (file.key !== undefined) ids.set(file.key, id);
      }
      return kept.map(({ key, name, bytes }) => {
        const id = ids.get(key);
        return { key, name, bytes, ...(id === undefined ? {} : { id }) };
      });
    },
    async openKept(key) {
      if (Array.from(files.values()).some((file) => file.key === key)) return undefined;
      const content = await store().read(key);
      return content && add(content, { key });
    },
  };
  return {
    handlers,
    async exportedRows({ path, parameters, area, rows }) {
      if (!rows || files.size === 0) return undefined;
      const { exportedRows } = await loadPart(() => import("./held-file.ts"));
      const held = Array.from(files.values(), (file) => file.held);
      return exportedRows(held, { path, parameters, ...(area ? { area } : {}), rows });
    },
  };
}
