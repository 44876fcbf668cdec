/**
 * The errors of the command line. Each has a stable code, with which its message ends. `docs/reference/errors.md` and
 * `cairn help errors` list them. An error that REST has too has the same code.
 *
 * @module
 */

interface CommandErrorKind {
  /** What happened. */
  readonly happened: string;
  /** What is allowed. */
  readonly allowed: string;
  /** What to do next. */
  readonly next: string;
}

/** Codes of the errors of commands: what happened, what is allowed, and the next step, for users. */
export const COMMAND_ERRORS = {
  CAIRN_E_USAGE: {
    happened: "A command, an option or an argument is unknown, missing or not valid. The exit code is 2.",
    allowed: "The commands, options and values in the help.",
    next: "Read `cairn <command> --help`.",
  },
  CAIRN_E_VALUE: {
    happened:
      "A value is well formed but does not fit: a file that is not there, a format or a name that is not known.",
    allowed: "The values in the message.",
    next: "Change the option, argument or setting that the message names.",
  },
  CAIRN_E_NO_FILE: {
    happened: "A file or folder does not exist.",
    allowed: "Paths of existing files.",
    next: "Check the path in the message.",
  },
  CAIRN_E_PERMISSION: {
    happened: "The system does not permit to read or write a path.",
    allowed: "Paths that your user may read or write.",
    next: "Choose another path, or change its permissions.",
  },
  CAIRN_E_PATH: {
    happened: "A path is unsuitable: a file instead of a folder, a name that is too long, a path on another disk.",
    allowed: "What the message expects.",
    next: "Choose another path.",
  },
  CAIRN_E_DISK_FULL: {
    happened: "The disk is full, or the quota is used up.",
    allowed: "A build needs about four to seven times the bytes of its sources.",
    next: "Remove other files, or set `--temp` or `--out` to a path on another disk.",
  },
  CAIRN_E_SYSTEM: {
    happened: "The system rejected an operation, such as too many open files or a damaged disk.",
    allowed: "-",
    next: "Follow the advice in the message.",
  },
  CAIRN_E_MEMORY: {
    happened: "A task needs more memory than it may use.",
    allowed: "512MB at least for `--memory`.",
    next: "Raise `--memory`, or close other programs.",
  },
  CAIRN_E_NETWORK: {
    happened: "A host cannot be reached, does not respond, or closes the connection.",
    allowed: "-",
    next: "Check the address and the network, then run the command again. `get`, `build` and `upload` reuse finished work.",
  },
  CAIRN_E_PORT: {
    happened: "The server cannot use the port or the address.",
    allowed: "A free port from 1024 on, or 0 for any free one, and an address of this machine.",
    next: "Set `--port` or `--host`.",
  },
  CAIRN_E_SOURCE: {
    happened: "A source cannot be read as a table or as a file of Overture, or its options do not fit it.",
    allowed: "The formats in the reference of tables.",
    next: "Correct the file, the column or the option that the message names.",
  },
  CAIRN_E_REJECTS: {
    happened: "More records were rejected than `--most-rejects` allows.",
    allowed: "The share in the message.",
    next: "Correct the records that the message shows, or raise `--most-rejects`.",
  },
  CAIRN_E_EMPTY: {
    happened: "Nothing is in the area, or a collection that had rows would have none.",
    allowed: "Areas and sources with at least one row.",
    next: "Check the order of the coordinates and the sources. `--allow-empty` builds an empty dataset.",
  },
  CAIRN_E_AREA: {
    happened: "The area is not valid, not known, or its name has several meanings.",
    allowed: "A box, a country, a name or id of a division, or a file with a polygon.",
    next: "Use the name, id or form that the message gives.",
  },
  CAIRN_E_OVERTURE: {
    happened: "A release of Overture does not exist, lacks a type, is damaged, or was replaced while it was read.",
    allowed: "The releases and types in the message.",
    next: "Choose another release or type. `cairn get --force` starts again.",
  },
  CAIRN_E_EXTRACT: {
    happened: "The folder holds no extract, another one, or an unfinished one.",
    allowed: "An empty folder, or the same area and release.",
    next: "Finish `cairn get`, or use another `--out` or `--force`.",
  },
  CAIRN_E_OUTPUT: {
    happened: "The folder for the output has files that the command did not make.",
    allowed: "An empty folder, or an older output of the same command.",
    next: "Choose another folder, or empty it.",
  },
  CAIRN_E_LOCKED: {
    happened: "Another build uses the folder, or ended without removing its lock.",
    allowed: "One build for each folder.",
    next: "Wait until it ends. If it does not run, remove the file that the message names.",
  },
  CAIRN_E_DATA: {
    happened: "The folder or address is not a dataset, or one of its files is missing or damaged.",
    allowed: "Files with the length and hash of the manifest.",
    next: "Run `cairn verify` or `cairn doctor`. Build or copy the dataset again.",
  },
  CAIRN_E_SIGNATURE: {
    happened: "A dataset is not signed, is signed by another key, or cannot be signed.",
    allowed: "Releases that a pinned key signed, with a higher sequence than the last one.",
    next: "Run `cairn sign` with the private key of the pinned key, and upload the dataset again.",
  },
  CAIRN_E_RELEASE: {
    happened: "The dataset does not have the release, or cannot keep it.",
    allowed: "The releases in the message.",
    next: "Name one of them.",
  },
  CAIRN_E_TOO_LARGE: {
    happened: "A row, an area or a result exceeds a limit.",
    allowed: "The limit in the message.",
    next: "Choose less: a smaller area, fewer types or more filters.",
  },
  CAIRN_E_EXECUTOR: {
    happened: "Slurm, Spark or a process that runs tasks failed.",
    allowed: "-",
    next: "Read the message, or the log that it names, then run the command again. It reuses finished tasks.",
  },
  CAIRN_E_UPLOAD: {
    happened: "The bucket refused a file, or the dataset changed during the upload.",
    allowed: "A bucket in which your credentials may write.",
    next: "Check the bucket and the credentials, then run the command again. It sends what is missing.",
  },
  CAIRN_E_HOST: {
    happened: "The address is not a page of Cairn or a dataset, or its host redirects too often.",
    allowed: "The address of a published site or dataset.",
    next: "Open the address in a browser, and check it.",
  },
  CAIRN_E_FAILED: {
    happened: "The work failed for another reason, which the message contains.",
    allowed: "-",
    next: "Correct the reason. If the message has none, report the output of `cairn --debug`.",
  },
  CAIRN_E_INTERNAL: {
    happened: "The program has an error.",
    allowed: "-",
    next: "Report the output of `cairn --debug`.",
  },
} as const satisfies Readonly<Record<`CAIRN_E_${string}`, CommandErrorKind>>;

export type CommandErrorCode = keyof typeof COMMAND_ERRORS;

/** Codes of the system's errors. Others with a system call have `CAIRN_E_SYSTEM`. */
const SYSTEM_CODES: Readonly<Record<string, CommandErrorCode>> = {
  ENOENT: "CAIRN_E_NO_FILE",
  EACCES: "CAIRN_E_PERMISSION",
  EPERM: "CAIRN_E_PERMISSION",
  EROFS: "CAIRN_E_PERMISSION",
  ENOTDIR: "CAIRN_E_PATH",
  EISDIR: "CAIRN_E_PATH",
  EEXIST: "CAIRN_E_PATH",
  ENOTEMPTY: "CAIRN_E_PATH",
  ELOOP: "CAIRN_E_PATH",
  ENAMETOOLONG: "CAIRN_E_PATH",
  EXDEV: "CAIRN_E_PATH",
  ENOSPC: "CAIRN_E_DISK_FULL",
  EDQUOT: "CAIRN_E_DISK_FULL",
  ENOMEM: "CAIRN_E_MEMORY",
  EADDRINUSE: "CAIRN_E_PORT",
  EADDRNOTAVAIL: "CAIRN_E_PORT",
  ENOTFOUND: "CAIRN_E_NETWORK",
  EAI_AGAIN: "CAIRN_E_NETWORK",
  ECONNREFUSED: "CAIRN_E_NETWORK",
  ECONNRESET: "CAIRN_E_NETWORK",
  ETIMEDOUT: "CAIRN_E_NETWORK",
  EHOSTUNREACH: "CAIRN_E_NETWORK",
  ENETUNREACH: "CAIRN_E_NETWORK",
};

/** Codes of classes of errors, by `name`. Libraries and the engine do not know the codes of commands. */
const CLASS_CODES: Readonly<Record<string, CommandErrorCode>> = {
  AreaTooLargeError: "CAIRN_E_TOO_LARGE",
  ChangedFileError: "CAIRN_E_OVERTURE",
  CountLimitError: "CAIRN_E_TOO_LARGE",
  DecodeError: "CAIRN_E_DATA",
  FetchError: "CAIRN_E_DATA",
  ManifestError: "CAIRN_E_DATA",
  MissingFileError: "CAIRN_E_OVERTURE",
  ParameterError: "CAIRN_E_USAGE",
  PassingFault: "CAIRN_E_NETWORK",
  RangeError: "CAIRN_E_INTERNAL",
  ReferenceError: "CAIRN_E_INTERNAL",
  ReleaseError: "CAIRN_E_RELEASE",
  RemoteError: "CAIRN_E_OVERTURE",
  SignatureError: "CAIRN_E_SIGNATURE",
  TableError: "CAIRN_E_SOURCE",
  TooManyRowsError: "CAIRN_E_TOO_LARGE",
  TypeError: "CAIRN_E_INTERNAL",
  UnknownHostError: "CAIRN_E_NETWORK",
  UsageError: "CAIRN_E_USAGE",
};

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

/**
 * Returns the code of an error: its own, otherwise that of the nearest cause that has one, otherwise `CAIRN_E_FAILED`.
 */
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
