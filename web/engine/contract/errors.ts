/**
 * Errors that callers distinguish. An abort is the platform's `AbortError` and is never wrapped.
 * @module
 */

/** Any failure of the engine. */
export class EngineError extends Error {
  override readonly name: string = "EngineError";
}

/** The manifest or an index page is missing, damaged, or of another version. */
export class ManifestError extends EngineError {
  override readonly name = "ManifestError";
}

/** A named release is neither the current one nor one of the older releases that are available. */
export class ReleaseError extends EngineError {
  override readonly name = "ReleaseError";
  readonly asked: string;
  readonly present: string;

  constructor({ asked, present, kept }: { asked: string; present: string; kept: readonly string[] }) {
    const available = [present, ...kept].map((release) => JSON.stringify(release)).join(", ");
    super(
      `release must be one of ${available}, got ${JSON.stringify(asked)}; the current release is ${JSON.stringify(present)}: start again with the first page, without release`,
    );
    this.asked = asked;
    this.present = present;
  }
}

/** A file could not be read completely and undamaged. */
export class FetchError extends EngineError {
  override readonly name = "FetchError";
  /** Path below the folder of the dataset. */
  readonly path: string;
  /** HTTP status, if there was an answer. */
  readonly status: number | undefined;

  constructor(message: string, options: { path: string; status?: number; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.path = options.path;
    this.status = options.status;
  }

  /** Whether no host answered. A damaged file has no cause. */
  get isUnanswered(): boolean {
    return this.status === undefined && this.cause !== undefined;
  }
}

/** A valid file cannot be decoded into rows: usually because of too little memory. */
export class DecodeError extends EngineError {
  override readonly name = "DecodeError";
  readonly path: string;

  constructor(message: string, options: { path: string; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.path = options.path;
  }
}

/**
 * Returns the error of a failed read and a failed fallback. The message names both files, because either may be the
 * damaged one. The class is that of `first`. If `second` is no `EngineError`, such as an abort, it is returned unchanged.
 */
export function errorOfBoth(first: EngineError, second: unknown): unknown {
  if (!(second instanceof EngineError)) return second;
  const { cause } = first;
  const message = `${first.message}; read in its place: ${second.message}`;
  if (first instanceof FetchError) {
    const { path, status } = first;
    return new FetchError(message, { path, cause, ...(status === undefined ? {} : { status }) });
  }
  if (first instanceof DecodeError) return new DecodeError(message, { path: first.path, cause });
  return new (first instanceof ManifestError ? ManifestError : EngineError)(message, { cause });
}

/** A search would need to read more rows than allowed to test them. */
export class TooManyRowsError extends EngineError {
  override readonly name = "TooManyRowsError";
  readonly rows: number;
  readonly most: number;

  constructor(rows: number, most: number) {
    super(`${rows} rows would be read to test them, at most ${most} may be`);
    this.rows = rows;
    this.most = most;
  }
}

/** A count would take more bytes or rows than allowed. The message says what is allowed. */
export class CountLimitError extends EngineError {
  override readonly name = "CountLimitError";
}

/** DuckDB refused a statement. */
export class QueryError extends EngineError {
  override readonly name = "QueryError";
  readonly sql: string;

  constructor(message: string, options: { sql: string; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.sql = options.sql;
  }
}
