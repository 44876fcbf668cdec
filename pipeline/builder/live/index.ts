/** Sources at web addresses: a published spreadsheet, or the export of a data portal. @module */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { PassingFault, parseRetryAfter, withRetries } from "../../../data/release/index.ts";
import { exists, hashFile, makeFolder, readOptional } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";

interface LiveOptions {
  /** Folder that keeps the files between builds, so that unchanged ones are not downloaded again. */
  readonly folder: string;
  readonly onWait: (message: string) => void;
  /** Maximum bytes of a file. Default: 2 GiB. */
  readonly maxBytes?: number | undefined;
  /** After so many milliseconds without data, the download is tried again. Default: a minute. */
  readonly idleTimeoutMs?: number | undefined;
  readonly sleep?: ((ms: number) => Promise<void>) | undefined;
}

interface FetchedSource {
  readonly address: string;
  readonly path: string;
  readonly bytes: number;
  /** False if the file is the same as after the last fetch. */
  readonly isChanged: boolean;
}

const MAX_BYTES = 2 * 2 ** 30;
const IDLE_TIMEOUT_MS = 60_000;
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Bytes in which a web page shows what it is. */
const START_BYTES = 4096;

const states = z.object({
  address: z.string(),
  file: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  etag: z.string().optional(),
  last_modified: z.string().optional(),
});
type State = z.infer<typeof states>;

/**
 * Returns whether a source is a web address whose file is downloaded as a whole. With `isTable` (a table that is not in
 * Overture's schema) each web address is. Otherwise Parquet (by the ending), patterns with `*` and folders are not,
 * because they are read in ranges.
 */
export function isLiveSource(source: string, { isTable }: { readonly isTable: boolean }): boolean {
  if (!/^https?:\/\//i.test(source)) return false;
  return isTable || !/\.(parquet|geoparquet|gpq)(?:[?#]|$)|[*]|\/$/i.test(source);
}

/**
 * Downloads the file at a web address unless the host says that it is unchanged. Returns its path on disk. Throws if
 * the address needs a login, or has no data, a web page, or more than `maxBytes`.
 */
export async function fetchSource(given: string, options: LiveOptions): Promise<FetchedSource> {
  const { folder, onWait, sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms)) } = options;
  const address = dataAddress(given);
  const key = createHash("sha256").update(address).digest("hex").slice(0, 12);
  const [own, statePath] = [join(folder, key), join(folder, `${key}.json`)];
  await makeFolder(own);
  const before = await stateAt(statePath, own);
  const fetched = await withRetries(() => fetchOnce(address, { ...options, own, before }), { sleep, onWait });
  if (fetched === "same") {
    if (!before) throw new Error(`${address}: status 304 without a request for it`);
    return { address, path: join(own, before.file), bytes: before.bytes, isChanged: false };
  }
  if (before && before.file !== fetched.file) await rm(join(own, before.file), { force: true });
  await rename(partPath(own), join(own, fetched.file));
  await writeFile(statePath, JSON.stringify(fetched));
  const isChanged = before?.sha256 !== fetched.sha256;
  return { address, path: join(own, fetched.file), bytes: fetched.bytes, isChanged };
}

/** The last fetch, if its file is complete. */
async function stateAt(path: string, folder: string): Promise<State | undefined> {
  const text = await readOptional(path);
  if (text === undefined) return undefined;
  try {
    const state = states.parse(JSON.parse(text));
    const file = join(folder, state.file);
    return (await exists(file)) && (await hashFile(file)) === state.sha256 ? state : undefined;
  } catch {
    return undefined;
  }
}

interface FetchOptions extends LiveOptions {
  readonly own: string;
  readonly before: State | undefined;
}

async function fetchOnce(address: string, options: FetchOptions): Promise<State | "same"> {
  const { before, idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
  const silence = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const alive = (): void => {
    clearTimeout(timer);
    timer = setTimeout(
      () => silence.abort(new CodedError("CAIRN_E_NETWORK", `no data for ${idleTimeoutMs / 1000} s`)),
      idleTimeoutMs,
    );
  };
  alive();
  try {
    const headers: Record<string, string> = {};
    if (before?.etag !== undefined) headers["if-none-match"] = before.etag;
    else if (before?.last_modified !== undefined) headers["if-modified-since"] = before.last_modified;
    const response = await fetch(address, { headers, signal: silence.signal });
    alive();
    if (response.status === 304 && before) return "same";
    await refuseStatus(address, response);
    return await writeBody(address, response, { ...options, alive });
  } catch (error) {
    if (silence.signal.aborted) throw new PassingFault(`${address}: ${String(silence.signal.reason.message)}`);
    if (error instanceof TypeError) {
      const { cause } = error;
      const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
      if (code === "ENOTFOUND") throw new CodedError("CAIRN_E_NETWORK", `${address}: no such host`, { cause: error });
      throw new PassingFault(`${address}: ${cause instanceof Error ? cause.message : error.message}`, { cause: error });
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function refuseStatus(address: string, response: Response): Promise<void> {
  const { status, headers } = response;
  if (status === 200) return;
  await response.body?.cancel().catch(() => undefined);
  if (PASSING.has(status))
    throw new PassingFault(`${address}: status ${status}`, {
      waitMs: parseRetryAfter(headers.get("retry-after"), Date.now()),
    });
  const why =
    status === 401 || status === 403
      ? "it needs a login; share or publish the file so that everyone can read it"
      : status === 404 || status === 410
        ? "no such file"
        : "expected 200";
  throw new CodedError("CAIRN_E_SOURCE", `${address}: status ${status}, ${why}`);
}

const partPath = (folder: string): string => join(folder, ".part");

async function writeBody(
  address: string,
  response: Response,
  { own, alive, maxBytes = MAX_BYTES }: FetchOptions & { readonly alive: () => void },
): Promise<State> {
  const hash = createHash("sha256");
  let bytes = 0;
  let start = Buffer.alloc(0);
  const isPage = /^\s*text\/html\b/i.test(response.headers.get("content-type") ?? "");
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      alive();
      if (start.length < START_BYTES) start = Buffer.concat([start, chunk]).subarray(0, START_BYTES);
      bytes += chunk.length;
      hash.update(chunk);
      if (bytes > maxBytes)
        done(new CodedError("CAIRN_E_SOURCE", `${address}: more than ${maxBytes} bytes: export a smaller part`));
      else done(null, chunk);
    },
    flush(done) {
      done(isPage || isHtml(start) ? new CodedError("CAIRN_E_SOURCE", describePage(address, start)) : null);
    },
  });
  if (!response.body) throw new CodedError("CAIRN_E_SOURCE", `${address}: the answer is empty`);
  const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
  await pipeline(body, counted, createWriteStream(partPath(own)));
  if (bytes === 0) throw new CodedError("CAIRN_E_SOURCE", `${address}: the answer is empty`);
  const [etag, modified] = [response.headers.get("etag"), response.headers.get("last-modified")];
  return {
    ...{ address, bytes, sha256: hash.digest("hex") },
    file: fileNameOf(address, response.headers.get("content-disposition")),
    ...(etag === null ? {} : { etag }),
    ...(modified === null ? {} : { last_modified: modified }),
  };
}

function isHtml(start: Buffer): boolean {
  return /^[\ufeff\s]*(<!--[\s\S]*?-->\s*)*<(!doctype\s+html|html)\b/i.test(start.toString("utf8"));
}

function describePage(address: string, start: Buffer): string {
  const title = /<title[^>]*>\s*([^<]{1,80}?)\s*</i.exec(start.toString("utf8"))?.[1];
  const page = title === undefined ? "a web page" : `the web page ${JSON.stringify(title)}`;
  const advice = /docs\.google\.com/.test(address)
    ? "share the sheet with everyone who has the link, or publish it: File, Share, Publish to web, CSV"
    : "use the address of the export, such as a download as CSV or GeoJSON, that needs no login";
  return `${address}: the answer is ${page}, not data: ${advice}`;
}

/**
 * Returns the address from which data is downloaded: for a link to a Google Sheet, that of its export as CSV, otherwise
 * the given one without fragment. Throws for an invalid address.
 */
export function dataAddress(given: string): string {
  const url = new URL(given);
  const sheet = /^\/spreadsheets\/d\/([\w-]+)(?:\/(?:edit|view|htmlview|preview)?)?$/.exec(url.pathname)?.[1];
  if (url.hostname !== "docs.google.com" || sheet === undefined || sheet === "e") {
    url.hash = "";
    return url.href;
  }
  const gid = url.searchParams.get("gid") ?? /\bgid=(\d+)/.exec(url.hash)?.[1];
  return `https://docs.google.com/spreadsheets/d/${sheet}/export?format=csv${gid === null || gid === undefined ? "" : `&gid=${gid}`}`;
}

/** Parts of addresses that name the export, not the table. */
const GENERIC =
  /^(export|exports|pub|download|downloads|rows|query|items|data|file|files|api|v\d+(\.\d+)?|csv|json|geojson|xlsx|interpreter)$/i;

/**
 * Returns a name for a downloaded file, which names the collection: the last part of the address if it has an ending,
 * otherwise the name in the header `content-disposition`, another part of the address, or the host.
 */
export function fileNameOf(address: string, disposition: string | null): string {
  const { pathname, hostname } = new URL(address);
  const parts = pathname.split("/").filter((part) => part !== "");
  const named = parts
    .map(decoded)
    .toReversed()
    .find((part) => !GENERIC.test(stemOf(part)) && /\p{L}{2}/u.test(stemOf(part)));
  const stated = dispositionName(disposition);
  const last = decoded(parts.at(-1) ?? "");
  const isOwn = /\.\w{2,8}$/.test(last) && !GENERIC.test(stemOf(last));
  const name = isOwn ? last : (stated ?? named ?? hostname);
  const safe = basename(name.replaceAll("\\", "/"))
    .replace(/[^\p{L}\p{N}._ -]+/gu, "_")
    .replace(/^\.+/, "");
  return safe === "" ? "table" : safe.slice(0, 100);
}

const stemOf = (name: string): string => name.split(".")[0] ?? "";

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @see https://www.rfc-editor.org/rfc/rfc6266 */
function dispositionName(text: string | null): string | undefined {
  if (text === null) return undefined;
  const extended = /filename\*\s*=\s*(?:UTF-8)?'[^']*'([^;]+)/i.exec(text)?.[1];
  if (extended !== undefined) return decoded(extended.trim());
  return /filename\s*=\s*"?([^";]+)"?/i.exec(text)?.[1]?.trim();
}
