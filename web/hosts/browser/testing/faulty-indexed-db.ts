/**
 * IndexedDB of which any call may fail, shared by all tabs of a test.
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
}

const REQUESTS = { get: "get", getAll: "get", put: "put", delete: "delete" } as const;
/** A database of version 2: opening it as version 1 fails. */
const NEWER = "newer";

/** Returns an empty IndexedDB. */
export function faultyIndexedDb(): FaultyIndexedDb {
  const factory = new IDBFactory();
  const open = factory.open.bind(factory);
  open(NEWER, 2);
  const fails = (operation: StoreOperation) => {
    try {
      faulty.onOperation(operation);
      return false;
    } catch {
      return true;
    }
  };
  const faulty: FaultyIndexedDb = { factory, onOperation: () => {} };
  factory.open = (name, version) => {
    if (fails("open")) return open(NEWER, 1);
    const request = open(name, version);
    request.addEventListener("success", () => watch(request.result));
    return request;
  };

  function watch(database: IDBDatabase): void {
    const begin = database.transaction.bind(database);
    database.transaction = (...args) => {
      faulty.onOperation("transaction");
      const transaction = begin(...args);
      const storeOf = transaction.objectStore.bind(transaction);
      let under = 0;
      let isUndone = false;
      const undo = () => {
        if (!isUndone) transaction.abort();
        isUndone = true;
      };
      transaction.objectStore = (name) => {
        const store = storeOf(name);
        for (const [method, operation] of Object.entries(REQUESTS)) {
          const send: (...args: unknown[]) => IDBRequest = Reflect.get(store, method).bind(store);
          Reflect.set(store, method, (...args: unknown[]) => {
            const request = send(...args);
            under++;
            if (fails(operation)) queueMicrotask(undo);
            else {
              request.addEventListener("success", () => {
                under--;
                const isLast = under === 0 && transaction.mode === "readwrite";
                // undoes the writes, as on a full disk
                if (isLast && fails("commit")) undo();
              });
            }
            return request;
          });
        }
        return store;
      };
      return transaction;
    };
  }
  return faulty;
}
