/** A search that was refused or failed; the message lists every fault. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  /** As in the REST interface: 400 for invalid parameters, 503 when a file cannot be read. */
  readonly status: number;

  constructor(message: string, status: number, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.status = status;
  }
}
