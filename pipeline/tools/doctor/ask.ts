/**
 * HTTP requests as a browser sends them for a page of another origin, and what their answers mean.
 * @module
 */
import { get as getHttp, type IncomingHttpHeaders } from "node:http";
import { get as getHttps } from "node:https";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { MAX_SLICE_BYTES } from "../../../data/format/limits.ts";
import { CodedError } from "../../base/errors/index.ts";

export interface Answer {
  readonly url: URL;
  readonly redirects: readonly URL[];
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as sent: compressed if the answer has `Content-Encoding`. */
  readonly body: Buffer;
  /** True if the body ended too soon, or was cut because it is too long. */
  readonly isCut: boolean;
}

/** Bytes of a file from `start` up to but not including `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Requests a file or a range of it. Cuts a body that is longer than `mostBytes`. */
export type Ask = (url: URL, range?: Range, mostBytes?: number) => Promise<Answer>;

const MAX_REDIRECTS = 5;
/** Bytes after which a body is cut by default: the largest slice. */
const MAX_BODY_BYTES = MAX_SLICE_BYTES;
const TIMEOUT_MS = 30_000;
/** Value of the header `Origin` in requests, as of a page on another site. */
export const ASKING_ORIGIN = "https://elsewhere.example";

/**
 * Requests a file or a range of it over HTTP and follows redirects. Cuts a body longer than `mostBytes`. Throws if the
 * host cannot be reached, is silent for 30 seconds, or redirects more than five times. A status such as 404 is no
 * error.
 */
export async function ask(url: URL, range?: Range, mostBytes = MAX_BODY_BYTES): Promise<Answer> {
  const redirects: URL[] = [];
  let at = url;
  for (;;) {
    const answer = await askOnce(at, { range, mostBytes });
    const location = answer.headers.location;
    if (answer.status < 300 || answer.status > 399 || location === undefined) return { ...answer, url: at, redirects };
    redirects.push(at);
    if (redirects.length > MAX_REDIRECTS)
      throw new CodedError("CAIRN_E_HOST", `${url} redirects more than ${MAX_REDIRECTS} times`);
    at = new URL(location, at);
  }
}

interface Asking {
  readonly range: Range | undefined;
  readonly mostBytes: number;
}

function askOnce(
  url: URL,
  { range, mostBytes }: Asking,
): Promise<Pick<Answer, "status" | "headers" | "body" | "isCut">> {
  const get = url.protocol === "https:" ? getHttps : getHttp;
  // Browsers accept no content encoding for a range.
  const wanted = range
    ? { "Accept-Encoding": "identity", Range: `bytes=${range.start}-${range.end - 1}` }
    : { "Accept-Encoding": "gzip, deflate, br" };
  const headers = { ...wanted, Origin: ASKING_ORIGIN, "Cache-Control": "no-cache" };
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, timeout: TIMEOUT_MS }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length <= mostBytes) chunks.push(chunk);
        else response.destroy();
      });
      response.on("close", () => {
        const { statusCode = 0, headers, complete } = response;
        resolve({ status: statusCode, headers, body: Buffer.concat(chunks), isCut: !complete });
      });
      response.on("error", () => {});
    });
    request.on("timeout", () =>
      request.destroy(new CodedError("CAIRN_E_NETWORK", `no answer within ${TIMEOUT_MS / 1000} s`)),
    );
    request.on("error", (cause) =>
      reject(new CodedError("CAIRN_E_NETWORK", `${url} cannot be reached: ${cause.message}`, { cause })),
    );
  });
}

const BOUND = { maxOutputLength: MAX_BODY_BYTES };

/**
 * Returns the decompressed body. Returns the body as it is for an unknown `Content-Encoding`. Throws if it is damaged,
 * or larger than the largest slice of a dataset.
 */
export function contentOf({ body, headers }: Answer): Buffer {
  const encoding = headers["content-encoding"]?.trim().toLowerCase();
  if (encoding === undefined || encoding === "" || encoding === "identity") return body;
  if (encoding === "gzip" || encoding === "x-gzip") return gunzipSync(body, BOUND);
  if (encoding === "br") return brotliDecompressSync(body, BOUND);
  if (encoding === "deflate") return inflateSync(body, BOUND);
  // Browsers also pass on unknown encodings.
  return body;
}

/** Returns true if the body looks like an HTML page. */
export function isHtml(body: Buffer): boolean {
  return /^\s*<(!doctype|html)/i.test(body.subarray(0, 200).toString());
}

/**
 * Returns the seconds that a cache may reuse the answer: 0 with `no-cache` or `no-store`, undefined without `max-age`.
 */
export function freshSeconds({ headers }: Pick<Answer, "headers">): number | undefined {
  const control = headers["cache-control"];
  if (control === undefined) return undefined;
  if (/\bno-(cache|store)\b/i.test(control)) return 0;
  const age = /\bmax-age\s*=\s*"?(\d+)/i.exec(control)?.[1];
  return age === undefined ? undefined : Number(age);
}
