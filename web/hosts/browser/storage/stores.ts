/** IndexedDB behind two calls. Without IndexedDB reads return undefined; if it fails, every call rejects. @module */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from "idb";

/**
 * Maximum time to open the database. It usually takes milliseconds, but never ends while another tab keeps an old connection, or
 * by faults of some browsers.
 */
const OPEN_WITHIN_MS = 3000;
/** After an opening that took too long, calls fail at once for this time. */
const OPEN_AGAIN_AFTER_MS = 30_000;
/** Maximum time of a transaction: a busy disk may take seconds. */
const ANSWER_WITHIN_MS = 10_000;

type Names<S extends DBSchema> = ArrayLike<StoreNames<S>>;

export interface Stores<S extends DBSchema> {
  /** Runs `work` on a store and returns its result. Undefined without IndexedDB. */
  read<Name extends StoreNames<S>, T>(
    name: Name,
    work: (store: IDBPTransaction<S, [Name]>["store"]) => Promise<T>,
  ): Promise<T | undefined>;
  /** Makes the changes in one transaction. Returns false without IndexedDB. */
  change<const Of extends Names<S>>(
    names: Of,
    work: (transaction: IDBPTransaction<S, Of, "readwrite">) => readonly Promise<unknown>[],
  ): Promise<boolean>;
}

interface StoresOptions<S extends DBSchema> {
  readonly name: string;
  readonly version: number;
  /** Creates the stores of the first version. */
  readonly upgrade: (database: IDBPDatabase<S>) => void;
}

/** Returns access to the database. It is opened on first use. */
export function openStore<S extends DBSchema>(options: StoresOptions<S>): Stores<S> {
  const connection = connect(options);

  async function read<Name extends StoreNames<S>, T>(
    name: Name,
    work: (store: IDBPTransaction<S, [Name]>["store"]) => Promise<T>,
  ): Promise<T | undefined> {
    const transaction = await connection.begin<[Name], "readonly">([name], "readonly");
    return transaction && within(ANSWER_WITHIN_MS, work(transaction.store), "answer");
  }

  async function change<const Of extends Names<S>>(
    names: Of,
    work: (transaction: IDBPTransaction<S, Of, "readwrite">) => readonly Promise<unknown>[],
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

  return { read, change };
}

interface Connection<S extends DBSchema> {
  begin<Of extends Names<S>, Mode extends "readonly" | "readwrite">(
    names: Of,
    mode: Mode,
  ): Promise<IDBPTransaction<S, Of, Mode> | undefined>;
}

interface Opening<S extends DBSchema> {
  readonly database: Promise<IDBPDatabase<S>>;
  /** Resolves to the database, or rejects after the time limit. */
  answer: Promise<IDBPDatabase<S>>;
  readonly startedAtMs: number;
  isOpen: boolean;
}

/** Returns a connection that opens on first use, and again after a failure or when it was closed. */
function connect<S extends DBSchema>(options: StoresOptions<S>): Connection<S> {
  let current: Opening<S> | undefined;

  function open(): Opening<S> {
    const database = start(options, () => end(opening));
    const answer = within(OPEN_WITHIN_MS, database, "open");
    const opening: Opening<S> = { database, answer, startedAtMs: performance.now(), isOpen: false };
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

  function end(opening: Opening<S>): void {
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
          // site data is blocked, including the cache
          if (name === "SecurityError") return undefined;
          // the browser closed the connection without an event
          if (name !== "InvalidStateError" || isSecond || !opening.isOpen) throw error;
          end(opening);
        }
      }
    },
  };
}

async function start<S extends DBSchema>(
  { name, version, upgrade }: StoresOptions<S>,
  onEnd: () => void,
): Promise<IDBPDatabase<S>> {
  return openDB<S>(name, version, {
    upgrade,
    // another tab waits for this one: a newer version of the program, or one that deletes the database
    blocking: onEnd,
    terminated: onEnd,
  });
}

/** Returns the result of the work. Rejects when it takes longer than `ms` milliseconds, with a message that contains `verb`. */
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
    // the transaction has already ended
  }
}
