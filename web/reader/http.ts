/** Reads files of a static host with range requests. @module */
import { joinBytes } from "../../data/format/bytes.ts";
import { MAX_SLICE_BYTES } from "../../data/format/limits.ts";
import { CairnError, messageOf } from "./error.ts";
import type { ReadBytes } from "./types.ts";

/** Maximum size of a whole file. A pack with several slices is smaller, and a single slice is at most this long. */
const MAX_FILE_BYTES = MAX_SLICE_BYTES;
/** Number of whole files that stay in memory for later ranges. */
const KEPT_FILES = 4;

/**
 * Creates a reader of the files below a URL. If a host ignores ranges and sends whole files, the last four stay in memory. The
 * reader rejects with `CairnError` if no answer arrives, for a status other than 200 and 206, and if a file is too long.
 */
export function httpFiles(url: string, request: typeof globalThis.fetch = globalThis.fetch): ReadBytes {
  const base = url.endsWith("/") ? url : `${url}/`;
  const wholeFiles = new Map<string, Uint8Array>();

  return async (path, offset, length) => {
    const whole = wholeFiles.get(path);
    if (whole) return part(whole, offset, length);
    const isRange = offset !== undefined && length !== undefined;
    const response = await request(
      base + path,
      isRange ? { headers: { Range: `bytes=${offset}-${offset + length - 1}` } } : { cache: "no-cache" },
    ).catch((cause: unknown) => {
      throw new CairnError(`${base}${path} cannot be read: ${messageOf(cause)}`, { cause });
    });
    if (response.status !== 200 && !(isRange && response.status === 206)) {
      await response.body?.cancel();
      throw new CairnError(`${base}${path} cannot be read: HTTP status ${response.status}, expected 200 or 206`);
    }
    if (isRange && response.status === 206) return bodyOf(response, length, base + path);
    const bytes = await bodyOf(response, MAX_FILE_BYTES, base + path);
    if (!isRange) return bytes;
    wholeFiles.set(path, bytes);
    for (const [oldest] of wholeFiles) {
      if (wholeFiles.size > KEPT_FILES) wholeFiles.delete(oldest);
    }
    return part(bytes, offset, length);
  };
}

function part(bytes: Uint8Array, start = 0, length = bytes.length): Uint8Array {
  return bytes.subarray(start, start + length);
}

/** Returns the body. Throws `CairnError` as soon as more than `most` bytes have arrived. */
async function bodyOf(response: Response, most: number, name: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || !value) return joinBytes(parts);
    parts.push(value);
    size += value.length;
    if (size <= most) continue;
    await reader?.cancel();
    throw new CairnError(`${name} has more than ${most} bytes, the maximum`);
  }
}
