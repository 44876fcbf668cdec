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

/** Another file at the same address: what was decided about the first does not hold for it. */
export class ChangedFileError extends Error {}
