/** A search that was refused or failed; the message has every fault. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  /** As the REST interface would answer: 400 for wrong parameters, 503 when a file cannot be had. */
  readonly status: number;

  constructor(message: string, status: number, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.status = status;
  }
}
