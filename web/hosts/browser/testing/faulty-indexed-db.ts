/**
 * IndexedDB of which any call may fail. Tabs of a test share the databases.
 * @module
 */
// idb looks for the classes among the globals
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";

export type StoreOperation = "open" | "transaction" | "get" | "put" | "delete" | "commit";

export interface FaultyIndexedDb {
  /** Replaces the global `indexedDB`. */
  readonly factory: IDBFactory;
  /** Called before each operation; a throw makes it fail as in a browser. */
  onOperation: (operation: StoreOperation) => void;
  /** The tab is gone: its transactions are undone, and its connections close. */
  end(): void;
}

const REQUESTS = { get: "get", getAll: "get", put: "put", delete: "delete" } as const;
/** A database of version 2: opening it as version 1 fails. */
const NEWER = "newer";

/** Returns the IndexedDB of a tab. */
export function faultyIndexedDb(databases: IDBFactory = new IDBFactory()): FaultyIndexedDb {
  const connections = new Set<IDBDatabase>();
  const transactions = new Set<IDBTransaction>();
  let isGone = false;
  const fails = (operation: StoreOperation) => {
    try {
      faulty.onOperation(operation);
      return false;
    } catch {
      return true;
    }
  };
  const factory: IDBFactory = Object.create(databases);
  const faulty: FaultyIndexedDb = {
    factory,
    onOperation: () => {},
    end() {
      isGone = true;
      for (const transaction of transactions) undo(transaction);
      for (const connection of connections) connection.close();
    },
  };
  factory.open = (name, version) => {
    if (fails("open")) {
      databases.open(NEWER, 2);
      return databases.open(NEWER, 1);
    }
    const request = databases.open(name, version);
    request.addEventListener("success", () => {
      if (isGone) request.result.close();
      else watch(request.result);
    });
    return request;
  };

  function watch(database: IDBDatabase): void {
    connections.add(database);
    const begin = database.transaction.bind(database);
    database.transaction = (...args) => {
      faulty.onOperation("transaction");
      const transaction = begin(...args);
      transactions.add(transaction);
      for (const end of ["complete", "abort"]) {
        transaction.addEventListener(end, () => transactions.delete(transaction));
      }
      watchRequests(transaction);
      return transaction;
    };
  }

  function watchRequests(transaction: IDBTransaction): void {
    const storeOf = transaction.objectStore.bind(transaction);
    let under = 0;
    transaction.objectStore = (name) => {
      const store = storeOf(name);
      for (const [method, operation] of Object.entries(REQUESTS)) {
        const send: (...args: unknown[]) => IDBRequest = Reflect.get(store, method).bind(store);
        Reflect.set(store, method, (...args: unknown[]) => {
          const request = send(...args);
          under++;
          if (fails(operation)) queueMicrotask(() => undo(transaction));
          else {
            request.addEventListener("success", () => {
              under--;
              const isLast = under === 0 && transaction.mode === "readwrite";
              // undoes the writes, as on a full disk
              if (isLast && fails("commit")) undo(transaction);
            });
          }
          return request;
        });
      }
      return store;
    };
  }
  return faulty;
}

function undo(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // the transaction has already ended
  }
}
