/**
 * What a body is once its `Content-Encoding` is undone.
 * @module
 */
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { type Answer, MAX_BODY_BYTES } from "./ask.ts";

const BOUND = { maxOutputLength: MAX_BODY_BYTES };

/** The body as a browser would hand it on. Throws when it is not what its header says, or larger than any file may be. */
export function contentOf({ body, headers }: Answer): Buffer {
  const encoding = headers["content-encoding"]?.trim().toLowerCase();
  if (encoding === undefined || encoding === "" || encoding === "identity") return body;
  if (encoding === "gzip" || encoding === "x-gzip") return gunzipSync(body, BOUND);
  if (encoding === "br") return brotliDecompressSync(body, BOUND);
  if (encoding === "deflate") return inflateSync(body, BOUND);
  // Browsers hand on what they do not know.
  return body;
}

/** Whether the text begins as a web page does. */
export function isHtml(body: Buffer): boolean {
  return /^\s*<(!doctype|html)/i.test(body.subarray(0, 200).toString());
}

/** Seconds for which a cache may answer without asking; 0 with `no-cache` or `no-store`, undefined when nothing is said. */
export function freshSeconds({ headers }: Pick<Answer, "headers">): number | undefined {
  const control = headers["cache-control"];
  if (control === undefined) return undefined;
  if (/\bno-(cache|store)\b/i.test(control)) return 0;
  const age = /\bmax-age\s*=\s*"?(\d+)/i.exec(control)?.[1];
  return age === undefined ? undefined : Number(age);
}
