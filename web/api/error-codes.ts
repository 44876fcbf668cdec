/**
 * Every error of the REST interface: a stable code in the header `Cairn-Error`. The page `docs/reference/errors.md` lists them.
 * @module
 */
export const ERROR_HEADER = "Cairn-Error";

interface ErrorKind {
  readonly status: number;
  /** What happened. */
  readonly happened: string;
  /** What is allowed. */
  readonly allowed: string;
  /** What to do next. */
  readonly next: string;
}

export const ERRORS = {
  CAIRN_E_REQUEST: {
    status: 400,
    happened:
      "A parameter, the URL, the body or a header is wrong. `message` has a line for each fault, with the value.",
    allowed: "The values in the message, and in the tables of the REST reference.",
    next: "Correct each fault of `message` and send the request again.",
  },
  CAIRN_E_KEY: {
    status: 401,
    happened: "The server was started with `--keys`, and the API key is missing or unknown.",
    allowed: "A key of the file, in the header `x-api-key` or the parameter `api_key`.",
    next: "Ask the operator of the server for a key.",
  },
  CAIRN_E_ORIGIN: {
    status: 403,
    happened: "The request has a foreign `Host`, or a request to `/mcp` a foreign `Origin`.",
    allowed: "Names of this machine, and origins that `--origin` or `--public-url` names.",
    next: "Start `cairn serve` with the option that the message names.",
  },
  CAIRN_E_NOT_FOUND: {
    status: 404,
    happened: "The path, the record or the collection does not exist.",
    allowed: "Paths of `/openapi.json`, and ids of records of this release.",
    next: "Use the path that the message suggests, or search for the record by its name.",
  },
  CAIRN_E_METHOD: {
    status: 405,
    happened: "The path does not have this method, or a `POST` has no `Content-Type`.",
    allowed: "The methods in the header `Allow`.",
    next: "Use GET, or send an area with POST.",
  },
  CAIRN_E_TIMEOUT: {
    status: 408,
    happened: "The request did not end in time.",
    allowed: "A request whose headers and body arrive within the limits of the server.",
    next: "Send the request again.",
  },
  CAIRN_E_RELEASE: {
    status: 409,
    happened: "The dataset does not have the `release` of the request.",
    allowed: "The current release, and releases that the dataset keeps.",
    next: "Start again with the first page, without `release`.",
  },
  CAIRN_E_TOO_LARGE: {
    status: 413,
    happened: "The body or the area exceeds a limit.",
    allowed: "8 MiB, 500,000 vertices, and 300 million comparisons with edges.",
    next: "Simplify the area, or search it in parts.",
  },
  CAIRN_E_MEDIA_TYPE: {
    status: 415,
    happened: "The body has another media type.",
    allowed: "The type in the header `Accept-Post`: `application/geo+json`.",
    next: "Send the area as GeoJSON with this `Content-Type`.",
  },
  CAIRN_E_HEADERS: {
    status: 431,
    happened: "The request line and the headers are too long.",
    allowed: "The number of bytes in the message.",
    next: "Remove cookies, or send a long area with POST.",
  },
  CAIRN_E_INTERNAL: {
    status: 500,
    happened: "The search failed because of an error in the program.",
    allowed: "-",
    next: "Report the reference in the message. The log of the server has the cause.",
  },
  CAIRN_E_BUSY: {
    status: 503,
    happened: "The server has too many connections or searches.",
    allowed: "The limits of `--connections` and `--searches`.",
    next: "Wait as long as `Retry-After` says.",
  },
  CAIRN_E_SIGNATURE: {
    status: 503,
    happened:
      "The page pins a key, and the host sends a release that this key did not sign, or an older one than before.",
    allowed: "Releases that a pinned key signed, with a higher sequence than the last one.",
    next: "Ask the publisher. The publisher runs `cairn sign`, uploads the dataset again, and checks it with `cairn doctor`.",
  },
  CAIRN_E_DATA: {
    status: 503,
    happened: "A file of the dataset cannot be read or is damaged, or the engine cannot start.",
    allowed: "Files with the length and hash of the manifest.",
    next: "Send the request again after `Retry-After`. If it fails again, run `cairn doctor` or `cairn verify`.",
  },
} as const satisfies Readonly<Record<`CAIRN_E_${string}`, ErrorKind>>;

export type ErrorCode = keyof typeof ERRORS;
export type ErrorStatus = (typeof ERRORS)[ErrorCode]["status"];

/** Returns the code of a status. If several codes have the status, returns the last one in `ERRORS`. */
export function codeOf(status: ErrorStatus): ErrorCode {
  const found = (Object.keys(ERRORS) as ErrorCode[]).findLast((code) => ERRORS[code].status === status);
  if (!found) throw new Error(`no error code for the status ${status}`);
  return found;
}
