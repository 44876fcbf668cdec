/** The dataset cannot be read, or a question has an invalid value. The message states what is allowed. */
export class CairnError extends Error {
  override readonly name = "CairnError";
  /** Set if the pinned key did not sign the dataset, or the host sends an older release. Does not change. */
  readonly code: "CAIRN_E_SIGNATURE" | undefined;

  constructor(message: string, { code, cause }: { code?: "CAIRN_E_SIGNATURE"; cause?: unknown } = {}) {
    super(message, { cause });
    this.code = code;
  }
}

/** Runs the work. If it throws, throws a `CairnError` that says that `name` cannot be read, and why. */
export async function named<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof CairnError) throw cause;
    throw new CairnError(`${name} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** Returns the message of an error, or another thrown value as text. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
