/**
 * Why a source record is not in the dataset.
 * @module
 */

/** Reasons as they stand in `rejects.parquet` and in the manifest. */
export type Reason =
  | "unreadable record"
  | "missing id"
  | "missing geometry"
  | "unreadable geometry"
  | "position out of range"
  | "value that cannot be cast"
  | "duplicate id";

export interface Fault {
  readonly reason: Reason;
  readonly detail: string;
}

/** Table of what cannot be taken, while a file is scanned. */
export const REJECTS_TABLE = "rejects";
