/** IndexedDB: saved areas, and uses of kept files. Without one nothing is remembered; one that fails makes every call throw. @module */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from "idb";
import type { Area } from "../protocol/index.ts";
import type { AreaFiles, AreaStore, Part } from "./area-store.ts";
import type { Use, UseLog } from "./cache-uses.ts";

interface Schema extends DBSchema {
  areas: { key: string; value: Area & { readonly base: string } };
  /** Key: id and part. */
  files: { key: [string, Part]; value: AreaFiles };
  /** Key: folder of the dataset and path. */
  uses: { key: [string, string]; value: Use & { readonly base: string } };
}

const NAME = "cairn";
const VERSION = 1;
/** Opening takes some milliseconds. It never ends behind a tab that does not close its connection, and in some browsers at times. */
const OPEN_WITHIN_MS = 3000;
/** An opening that gave no answer is waited for no more until another one is tried. */
const OPEN_AGAIN_AFTER_MS = 30_000;
/** A disk that is busy may take seconds. */
const ANSWER_WITHIN_MS = 10_000;

type Database = IDBPDatabase<Schema>;
type Names = ArrayLike<StoreNames<Schema>>;

export interface BrowserStore {
  readonly areas: AreaStore;
  readonly uses: UseLog;
}

export function openBrowserStore(base: URL): BrowserStore {
  const connection = connect();
  const folder = base.href;
  const strip = ({ base: _, ...area }: Schema["areas"]["value"]): Area => area;

  async function read<Name extends StoreNames<Schema>, T>(
    name: Name,
    work: (store: IDBPTransaction<Schema, [Name]>["store"]) => Promise<T>,
  ): Promise<T | undefined> {
    const transaction = await connection.begin<[Name], "readonly">([name], "readonly");
    return transaction && within(ANSWER_WITHIN_MS, work(transaction.store), "answer");
  }

  /** Makes the changes, all or nothing. False where there is no store. */
  async function change<const Of extends Names>(
    names: Of,
    work: (transaction: IDBPTransaction<Schema, Of, "readwrite">) => readonly Promise<unknown>[],
  ): Promise<boolean> {
    const transaction = await connection.begin(names, "readwrite");
    if (!transaction) return false;
    try {
      await within(ANSWER_WITHIN_MS, Promise.all([...work(transaction), transaction.done]), "answer");
      return true;
    } catch (error) {
      abort(transaction);
      throw error;
    }
  }

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

interface Connection {
  begin<Of extends Names, Mode extends "readonly" | "readwrite">(
    names: Of,
    mode: Mode,
  ): Promise<IDBPTransaction<Schema, Of, Mode> | undefined>;
}

interface Opening {
  readonly database: Promise<Database>;
  /** The database, or a failure when it was waited for in vain. */
  answer: Promise<Database>;
  readonly startedAtMs: number;
  isOpen: boolean;
}

/** Opens when first needed. Neither a failure is remembered nor a connection that ended. */
function connect(): Connection {
  let current: Opening | undefined;

  function open(): Opening {
    const database = start(() => end(opening));
    const answer = within(OPEN_WITHIN_MS, database, "open");
    const opening: Opening = { database, answer, startedAtMs: performance.now(), isOpen: false };
    answer.catch(() => {});
    database.then(
      () => {
        opening.isOpen = true;
        opening.answer = database;
      },
      () => end(opening),
    );
    return opening;
  }

  function end(opening: Opening): void {
    if (current === opening) current = undefined;
    opening.database.then(
      (database) => database.close(),
      () => {},
    );
  }

  return {
    async begin(names, mode) {
      if (!("indexedDB" in globalThis)) return undefined;
      for (let isSecond = false; ; isSecond = true) {
        if (current && !current.isOpen && performance.now() - current.startedAtMs > OPEN_AGAIN_AFTER_MS) end(current);
        current ??= open();
        const opening = current;
        try {
          const transaction = (await opening.answer).transaction(names, mode);
          transaction.done.catch(() => {});
          return transaction;
        } catch (error) {
          const { name } = error instanceof Error ? error : new Error();
          // site data is forbidden, in the cache as well
          if (name === "SecurityError") return undefined;
          // the browser closed the connection and did not say so
          if (name !== "InvalidStateError" || isSecond || !opening.isOpen) throw error;
          end(opening);
        }
      }
    },
  };
}

async function start(onEnd: () => void): Promise<Database> {
  return openDB<Schema>(NAME, VERSION, {
    upgrade(database) {
      database.createObjectStore("areas", { keyPath: "id" });
      database.createObjectStore("files");
      database.createObjectStore("uses", { keyPath: ["base", "path"] });
    },
    // another tab waits for this one: of a later version of the program, or one that deletes all
    blocking: onEnd,
    terminated: onEnd,
  });
}

export async function within<T>(ms: number, work: Promise<T>, verb: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`IndexedDB did not ${verb} within ${ms / 1000} s`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function abort(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // it has ended by itself
  }
}
