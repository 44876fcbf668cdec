/** IndexedDB behind two calls. Without one nothing is read; one that fails makes every call throw. @module */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from "idb";

/** Opening takes some milliseconds. It never ends behind a tab that does not close its connection, and in some browsers at times. */
const OPEN_WITHIN_MS = 3000;
/** An opening that gave no answer is waited for no more until another one is tried. */
const OPEN_AGAIN_AFTER_MS = 30_000;
/** A disk that is busy may take seconds. */
const ANSWER_WITHIN_MS = 10_000;

type Names<S extends DBSchema> = ArrayLike<StoreNames<S>>;

export interface Stores<S extends DBSchema> {
  /** Undefined where there is no store. */
  read<Name extends StoreNames<S>, T>(
    name: Name,
    work: (store: IDBPTransaction<S, [Name]>["store"]) => Promise<T>,
  ): Promise<T | undefined>;
  /** Makes the changes, all or nothing. False where there is no store. */
  change<const Of extends Names<S>>(
    names: Of,
    work: (transaction: IDBPTransaction<S, Of, "readwrite">) => readonly Promise<unknown>[],
  ): Promise<boolean>;
}

export interface StoresOptions<S extends DBSchema> {
  readonly name: string;
  readonly version: number;
  /** Makes the stores of the first version. */
  readonly upgrade: (database: IDBPDatabase<S>) => void;
}

/** The database, opened when first needed. */
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
  /** The database, or a failure when it was waited for in vain. */
  answer: Promise<IDBPDatabase<S>>;
  readonly startedAtMs: number;
  isOpen: boolean;
}

/** Opens when first needed. Neither a failure is remembered nor a connection that ended. */
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

async function start<S extends DBSchema>(
  { name, version, upgrade }: StoresOptions<S>,
  onEnd: () => void,
): Promise<IDBPDatabase<S>> {
  return openDB<S>(name, version, {
    upgrade,
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
