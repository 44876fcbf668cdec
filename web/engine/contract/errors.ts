/**
 * Errors that callers branch on. An abort is the platform's `AbortError` and is never wrapped.
 * @module
 */

/** Anything the engine could not do. */
export class EngineError extends Error {
  override readonly name: string = "EngineError";
}

/** The manifest or an index page is missing, damaged, or of another version. */
export class ManifestError extends EngineError {
  override readonly name = "ManifestError";
}

/** A file could not be had whole and undamaged. */
export class FetchError extends EngineError {
  override readonly name = "FetchError";
  /** Path below the dataset's folder. */
  readonly path: string;
  /** HTTP status, where there was an answer. */
  readonly status: number | undefined;

  constructor(message: string, options: { path: string; status?: number; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.path = options.path;
    this.status = options.status;
  }

  /** Whether nobody answered: no network, or no host. A file that came and was damaged has no cause. */
  get isUnanswered(): boolean {
    return this.status === undefined && this.cause !== undefined;
  }
}

/** A file came as the index says and cannot be turned into rows: as a rule, for want of memory. */
export class DecodeError extends EngineError {
  override readonly name = "DecodeError";
  /** Path below the dataset's folder. */
  readonly path: string;

  constructor(message: string, options: { path: string; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.path = options.path;
  }
}

/**
 * The error of a read for which another was tried in its place: the message names the files of both, since either may be the damaged one. What
 * is no `EngineError`, such as an abort, stays as it is.
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

/** A search would read more rows than it may, to test them. */
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

/** The database refused a statement. */
export class QueryError extends EngineError {
  override readonly name = "QueryError";
  readonly sql: string;

  constructor(message: string, options: { sql: string; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.sql = options.sql;
  }
}
