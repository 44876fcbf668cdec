/**
 * Thrown by the methods of `Cairn` if a call is refused or fails. The message names every fault; `cause` is the original error.
 */
export class RequestError extends Error {
  override readonly name = "RequestError";
  /**
   * The status that the REST interface has for the error: 400 for invalid parameters, 404 for an unknown path, 409 for a release
   * that is not available, 413 for an area that is too large, 503 when a file cannot be read, 500 for other errors.
   */
  readonly status: number;

  constructor(message: string, status: number, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.status = status;
  }
}
