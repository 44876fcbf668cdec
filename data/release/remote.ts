/** A file on a host or disk whose ranges of bytes can be read. */
export interface RemoteFile {
  readonly address: string;
  readonly byteLength: number;
  /** Identifies the content: an ETag, or a modification time. */
  readonly version: string;
  /** Returns the bytes from `start` to `end` (exclusive). Throws if the response has other bytes. */
  readonly read: (start: number, end: number, signal?: AbortSignal) => Promise<Uint8Array>;
}

/** Reads JSON documents and opens files by their address. */
export interface Remote {
  readonly readJson: (address: string) => Promise<unknown>;
  readonly open: (address: string) => Promise<RemoteFile>;
}

/** A release or its host is not as expected. */
export class RemoteError extends Error {
  override readonly name: string = "RemoteError";
}

/** The file does not exist, so retries are useless. */
export class MissingFileError extends Error {
  override readonly name = "MissingFileError";
}

/** The host name was never resolved, so it is not a network interruption. */
export class UnknownHostError extends Error {
  override readonly name = "UnknownHostError";
  readonly host: string;

  constructor(host: string, { cause }: { readonly cause?: unknown } = {}) {
    super(`${host}: the name of this host cannot be looked up`, { cause });
    this.host = host;
  }
}

/** The file has changed since the plan was made, so the plan is invalid. */
export class ChangedFileError extends Error {
  override readonly name = "ChangedFileError";
}

/**
 * Calls `work` for each item, for up to `most` at the same time. Returns the results in the order of the items. After
 * an error, starts no more items, waits for those that run, and throws the error.
 */
export async function atATime<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length);
  const waiting = items.entries();
  let hasFailed = false;
  const workOn = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (hasFailed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(most, items.length) }, workOn));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
  return results;
}
