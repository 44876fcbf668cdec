/** Why a record is not in the dataset, as in `rejects.parquet` and the manifest. */
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

export const REJECTS_TABLE = "rejects";
