/**
 * Inflates with the platform's own program, which takes a tenth of the time where JavaScript runs for the first time.
 * @module
 */
import { joinBytes } from "./bytes.ts";
import { type InflateOptions, inflate, tooLarge } from "./inflate.ts";

/** The members used here. The types of browsers and Node differ, and old browsers have no raw deflate. */
interface Inflater {
  readonly writable: { getWriter(): { write(bytes: Uint8Array): Promise<void>; close(): Promise<void> } };
  readonly readable: { getReader(): Parts };
}
interface Parts {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array }>;
  cancel(): Promise<void>;
}
declare const DecompressionStream: (new (format: string) => Inflater) | undefined;

/** Less is inflated sooner than a stream is made. */
const LARGE_BYTES = 4 * 1024;

/** Inflates raw deflate data. Rejects if it is damaged or too large. */
export async function inflateLarge(bytes: Uint8Array, options: Pick<InflateOptions, "maxBytes">): Promise<Uint8Array> {
  const inflater = bytes.length < LARGE_BYTES ? undefined : newInflater();
  if (!inflater) return inflate(bytes, options);
  const writer = inflater.writable.getWriter();
  // the reader gets their errors too
  for (const written of [writer.write(bytes), writer.close()]) written.catch(() => {});
  const reader = inflater.readable.getReader();
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for (let part = await reader.read(); part.value; part = await reader.read()) {
    parts.push(part.value);
    sizeBytes += part.value.length;
    if (sizeBytes <= options.maxBytes) continue;
    await reader.cancel().catch(() => {});
    throw tooLarge(sizeBytes, options.maxBytes);
  }
  return joinBytes(parts);
}

function newInflater(): Inflater | undefined {
  try {
    return typeof DecompressionStream === "undefined" ? undefined : new DecompressionStream("deflate-raw");
  } catch {
    return undefined;
  }
}
