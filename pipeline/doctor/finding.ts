/** What a check found. */
export interface Finding {
  /** Name of the check, such as `cors`. */
  readonly check: string;
  /** What the host does, with the address. */
  readonly what: string;
  /** What to do about it. */
  readonly advice: string;
}

/** A file that was asked for, for whatever checks look at. */
export type Kind = "page" | "service-worker" | "asset" | "manifest" | "index-page" | "partition";
