export interface RemoteFile {
  readonly address: string;
  readonly byteLength: number;
  /** Tells this content from another at the same address: an ETag, else a time of change. */
  readonly version: string;
  /** Half-open. Throws when anything but these bytes came. */
  readonly read: (start: number, end: number, signal?: AbortSignal) => Promise<Uint8Array>;
}

export interface Remote {
  readonly readJson: (address: string) => Promise<unknown>;
  readonly open: (address: string) => Promise<RemoteFile>;
}

/** No such file: asking again is in vain. */
export class MissingFileError extends Error {}

/** Its name was never looked up with success, so that it is no fault of a line that broke. */
export class UnknownHostError extends Error {
  readonly host: string;

  constructor(host: string, { cause }: { readonly cause?: unknown } = {}) {
    super(`${host}: the name of this host cannot be looked up`, { cause });
    this.host = host;
  }
}

/** Another file at the same address: what was decided about the first does not hold for it. */
export class ChangedFileError extends Error {}

/** Works on so many at a time; after a failure nothing more is begun. Results stand in the order of the items. */
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
