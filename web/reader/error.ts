/**
 * The dataset cannot be read, or it cannot answer a question. The message says why. For an invalid value it states what is
 * allowed.
 */
export class CairnError extends Error {
  override readonly name = "CairnError";
  /**
   * Set if `pinned` refused the dataset: none of its keys signed it, or the release is older than `minSequence`. Undefined for
   * all other errors.
   */
  readonly code: "CAIRN_E_SIGNATURE" | undefined;

  constructor(message: string, { code, cause }: { code?: "CAIRN_E_SIGNATURE"; cause?: unknown } = {}) {
    super(message, { cause });
    this.code = code;
  }
}

/**
 * Runs the work and returns its result. If it throws, throws a `CairnError` that says that `name` cannot be read, and why. A
 * `CairnError` of the work is thrown unchanged.
 */
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
