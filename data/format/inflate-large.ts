/**
 * Inflates with the browser's own program: on a first visit it takes a tenth of the time of JavaScript. In Node it takes
 * twice the time of JavaScript that ran before.
 * @module
 */
import { type InflateOptions, inflate, within } from "./inflate.ts";

/** The members used here. The types of browsers and Node differ, and old browsers have no raw deflate. */
declare const DecompressionStream: new (format: string) => object;
declare const Response: new (
  body: unknown,
) => {
  readonly body: { pipeThrough(stream: object): unknown };
  arrayBuffer(): Promise<ArrayBuffer>;
};

function isBrowser(): boolean {
  return "document" in globalThis || "WorkerGlobalScope" in globalThis;
}

/** Less is inflated sooner than a stream is made. More could become more than 128 MiB. */
const [LEAST_BYTES, MOST_BYTES] = [4 * 1024, 128 * 1024];

/** Inflates raw deflate data. Rejects if it is damaged or too large. */
export async function inflateLarge(bytes: Uint8Array, options: Pick<InflateOptions, "maxBytes">): Promise<Uint8Array> {
  if (bytes.length < LEAST_BYTES || bytes.length > MOST_BYTES || !isBrowser()) return inflate(bytes, options);
  let stream: object;
  try {
    stream = new DecompressionStream("deflate-raw");
  } catch {
    return inflate(bytes, options);
  }
  const inflated = new Response(new Response(bytes).body.pipeThrough(stream));
  return within(new Uint8Array(await inflated.arrayBuffer()), options.maxBytes);
}
