import { CLASS_CODES, COMMAND_ERRORS, type CommandErrorCode, SYSTEM_CODES } from "./error-codes.ts";

/** An error that a user can act on, with its code. */
export class CodedError extends Error {
  override readonly name = "CodedError";
  readonly code: CommandErrorCode;

  constructor(code: CommandErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

/** Causes further away are not looked at: a cause could be its own cause. */
const MOST_CAUSES = 8;

/** Returns the code of an error: its own, or of the nearest cause that has one. */
export function codeOf(error: unknown): CommandErrorCode {
  let at = error;
  for (let depth = 0; depth < MOST_CAUSES && at instanceof Error; depth++) {
    const code = ownCode(at);
    if (code !== undefined) return code;
    at = at.cause;
  }
  return "CAIRN_E_FAILED";
}

/** Returns whether a text is a code of the command line. */
export function isCommandErrorCode(text: unknown): text is CommandErrorCode {
  return typeof text === "string" && Object.hasOwn(COMMAND_ERRORS, text);
}

function ownCode(error: Error): CommandErrorCode | undefined {
  const code = "code" in error ? error.code : undefined;
  if (isCommandErrorCode(code)) return code;
  if (/Out of Memory Error|Array buffer allocation failed/.test(error.message)) return "CAIRN_E_MEMORY";
  if (typeof code === "string" && Object.hasOwn(SYSTEM_CODES, code)) return SYSTEM_CODES[code];
  if ("syscall" in error) return "CAIRN_E_SYSTEM";
  // `fetch` throws a TypeError if the network fails. Its cause has the code.
  if (error.name === "TypeError" && error.cause instanceof Error) return undefined;
  return Object.hasOwn(CLASS_CODES, error.name) ? CLASS_CODES[error.name] : undefined;
}
