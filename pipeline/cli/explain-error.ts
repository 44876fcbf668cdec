/**
 * Error messages of one line that a user can act on.
 * @module
 */

import { dirname, resolve, sep } from "node:path";
import { messageOf } from "../../data/format/message-of.ts";

/** An option or argument of the command, with its value. */
export interface Given {
  /** Name such as `--out`; undefined for an argument. */
  readonly option: string | undefined;
  readonly value: string;
}

interface Reason {
  readonly what: string;
  readonly advice?: string;
}

const REASONS: Readonly<Record<string, Reason>> = {
  ENOENT: { what: "no such file or folder", advice: "check the path" },
  EACCES: { what: "permission denied", advice: "choose another path, or change its permissions" },
  EPERM: { what: "not permitted", advice: "choose another path" },
  EROFS: { what: "the file system is read-only", advice: "choose another path" },
  ENOTDIR: { what: "part of the path is a file, expected a folder", advice: "choose another path" },
  EISDIR: { what: "is a folder, expected a file", advice: "choose another path" },
  EEXIST: { what: "exists already", advice: "choose another path, or remove it" },
  ENOTEMPTY: { what: "the folder is not empty", advice: "choose another path, or empty it" },
  ELOOP: { what: "symbolic links form a loop", advice: "remove one of them" },
  ENAMETOOLONG: { what: "the name is too long", advice: "choose a shorter one" },
  EXDEV: { what: "on another file system", advice: "choose a path on the same one" },
  EBUSY: { what: "used by another program", advice: "close that program" },
  ETXTBSY: { what: "used by another program", advice: "close that program" },
  ENOSPC: { what: "the disk is full", advice: "remove other files, or choose a path on another disk" },
  EDQUOT: { what: "the disk quota is used up", advice: "remove other files, or choose a path on another disk" },
  EIO: { what: "the disk cannot be read or written", advice: "check the disk for errors" },
  EMFILE: { what: "too many open files", advice: "raise the limit, for example with ulimit -n 4096" },
  ENFILE: { what: "too many open files on this machine", advice: "close other programs" },
  ENOMEM: { what: "out of memory", advice: "close other programs, or lower --memory" },
  ENOTFOUND: { what: "no such host", advice: "check the address and the network" },
  EAI_AGAIN: { what: "the host name cannot be resolved", advice: "check the address and the network" },
  ECONNREFUSED: { what: "connection refused", advice: "check the address, and that the host is running" },
  ECONNRESET: { what: "the host closed the connection", advice: "try again" },
  ETIMEDOUT: { what: "the host does not respond", advice: "try again" },
  EHOSTUNREACH: { what: "the host cannot be reached", advice: "check the address and the network" },
  ENETUNREACH: { what: "the network cannot be reached", advice: "check the network" },
};

/**
 * Returns the error as one line for users: words instead of the codes of the system, and the option whose value the
 * path in the error belongs to. `given` are the options and arguments of the command.
 */
export function explainError(error: unknown, given: readonly Given[]): string {
  const message = messageOf(error);
  if (!isSystemError(error)) return plainly(message.split("\n")[0] ?? "", given);
  const { code, path, syscall, dest } = error;
  const at = dest ?? path;
  if (at === undefined) return plainly(message.split("\n")[0] ?? "", given);
  return atPath(at, reasonOf(code, syscall), given);
}

interface SystemError extends NodeJS.ErrnoException {
  readonly code: string;
  readonly dest?: string;
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";
}

function reasonOf(code: string, syscall: string | undefined): Reason {
  // Such as a folder below /proc.
  if (code === "ENOENT" && syscall === "mkdir")
    return { what: "this folder cannot be created", advice: "choose another path" };
  if (code === "EEXIST" && syscall === "mkdir")
    return { what: "is a file, expected a folder", advice: "choose another path" };
  return REASONS[code] ?? { what: `the system rejected it (${code})` };
}

/**
 * Returns the reason with the path, and with the option whose value is this path or near it. The longest such value
 * wins.
 */
function atPath(path: string, { what, advice }: Reason, given: readonly Given[]): string {
  const target = resolve(path);
  const near = given
    .filter(({ value }) => value !== "" && isNear(resolve(value.replace(/^@/, "")), target))
    .sort((a, b) => b.value.length - a.value.length);
  const [first] = near;
  const rest = advice === undefined ? what : `${what}; ${advice}`;
  if (!first) return `${path}: ${rest}`;
  const named = first.option === undefined ? first.value : `${first.option} ${first.value}`;
  const isSame = resolve(first.value.replace(/^@/, "")) === target;
  return isSame ? `${named}: ${rest}` : `${named}: ${path}: ${rest}`;
}

/**
 * Returns true if the path equals the value, is inside it, is the value with an ending such as `.tmp`, or is one of its
 * parents.
 */
function isNear(value: string, path: string): boolean {
  const isBelow = path.startsWith(value.endsWith(sep) ? value : `${value}${sep}`);
  const isBeside = path.startsWith(`${value}.`);
  const isAbove = path !== dirname(path) && value.startsWith(`${path}${sep}`);
  return path === value || isBelow || isBeside || isAbove;
}

const FILE_ERROR = /\b(E[A-Z]{2,}): [^,']+, (\w+)(?: '([^']*)'(?: -> '([^']*)')?)?/g;
const NAME_ERROR = /\bgetaddrinfo (ENOTFOUND|EAI_[A-Z]+) (\S+?)(?=[\s,;:)]|$)/g;
const LINE_ERROR = /\b(?:connect|read|write|send|listen|bind) (E[A-Z]{2,})(?: (\S+?))?(?=[\s,;)]|$)/g;

/** Replaces error texts of the system, which other programs include in their messages. */
function plainly(message: string, given: readonly Given[]): string {
  return message
    .replaceAll(FILE_ERROR, (_, code: string, syscall: string, path?: string, dest?: string) => {
      const at = dest ?? path;
      const reason = reasonOf(code, syscall);
      return at === undefined ? reason.what : atPath(at, reason, given);
    })
    .replaceAll(NAME_ERROR, (_, code: string, host: string) => {
      const { what } = REASONS[code] ?? { what: "the host name cannot be resolved" };
      return `${what}: ${host}`;
    })
    .replaceAll(LINE_ERROR, (_, code: string, host?: string) => {
      const { what } = reasonOf(code, undefined);
      return host === undefined ? what : `${what}: ${host}`;
    });
}
