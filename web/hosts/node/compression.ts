/** Compresses answers as the caller accepts, and answers HEAD with the headers of GET. @module */
import { pipeline, Readable, type Transform } from "node:stream";
import zlib from "node:zlib";
import type { MiddlewareHandler } from "hono";
import { parseAccept } from "hono/utils/accept";
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/utils/compress";

/** Minimum size of a body to compress: below it, headers cost as much as compression saves. */
const MIN_BYTES = 1024;

/** Half of a vector tile consists of repeated names and numbers. */
const TILE_TYPE = "application/vnd.mapbox-vector-tile";

/** Flushed after each write, so that an answer arrives while it is made, for 1 % more bytes. */
const { BROTLI_OPERATION_FLUSH, Z_SYNC_FLUSH, BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = zlib.constants;
const ZSTD_FLUSH = 1;

// Quality 4 takes as long as gzip 6 and is smaller; 5 takes twice as long for 5 % less. A window of 256 KiB saves
// memory.
const BROTLI_PARAMS = { [BROTLI_PARAM_QUALITY]: 4, [BROTLI_PARAM_LGWIN]: 18 };

const ENCODERS: ReadonlyMap<string, () => Transform> = new Map([
  ["br", () => zlib.createBrotliCompress({ flush: BROTLI_OPERATION_FLUSH, params: BROTLI_PARAMS })],
  ...parseZstd(zlib),
  ["gzip", () => zlib.createGzip({ flush: Z_SYNC_FLUSH, level: 6 })],
]);

export const ENCODINGS: readonly string[] = [...ENCODERS.keys()];

/** Node has zstd since 22.15; our types are those of Node 20. */
function parseZstd(module: object): [string, () => Transform][] {
  if (!("createZstdCompress" in module)) return [];
  const create = module.createZstdCompress as (options: { readonly flush: number }) => Transform;
  return [["zstd", () => create({ flush: ZSTD_FLUSH })]];
}

/**
 * Returns the encoding that an `Accept-Encoding` header prefers among ours; undefined to send the body as it is. @see
 * https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding
 */
export function chooseEncoding(header: string | undefined): string | undefined {
  const accepted = parseAccept(header ?? "");
  const qualityOf = (name: string) => accepted.find(({ type }) => type.toLowerCase() === name)?.q;
  const any = qualityOf("*") ?? 0;
  const [best] = ENCODINGS.map((name) => ({ name, q: qualityOf(name) ?? any })).sort((a, b) => b.q - a.q);
  return best && best.q > 0 && best.q >= (qualityOf("identity") ?? 0) ? best.name : undefined;
}

/** Returns middleware that compresses answers. HEAD runs the handler of GET, so that its headers are the same. */
export function compressAnswers(): MiddlewareHandler {
  return async (c, next) => {
    const { raw } = c.req;
    const isHead = raw.method === "HEAD";
    if (isHead) c.req.raw = asGet(raw);
    await next();
    const sent = await compress(raw, c.res);
    // the library drops the body without cancelling it
    if (isHead) await sent.body?.cancel();
    // otherwise Hono would merge its headers into the new ones
    c.res = undefined;
    c.res = sent;
  };
}

function asGet(head: Request): Request {
  const headers = new Headers(head.headers);
  headers.delete("Range");
  return new Request(head, { method: "GET", headers });
}

async function compress(request: Request, response: Response): Promise<Response> {
  const { status } = response;
  const headers = new Headers(response.headers);
  const tag = headers.get("ETag");
  if (status === 304) {
    headers.append("Vary", "Accept-Encoding");
    // the caller's weak ETag: a strong one would not match its cached copy
    if (tag && request.headers.get("If-None-Match")?.includes(`W/${tag}`)) headers.set("ETag", `W/${tag}`);
    return new Response(null, { status, headers });
  }
  if (!response.body) return response;
  const body = headers.has("Content-Length") ? response.body : await readStart(response.body);
  if (body instanceof Uint8Array) headers.set("Content-Length", String(body.length));
  const bytes = Number(headers.get("Content-Length") ?? Number.POSITIVE_INFINITY);
  const type = headers.get("Content-Type") ?? "";
  const isLoose = type === TILE_TYPE || COMPRESSIBLE_CONTENT_TYPE_REGEX.test(type);
  if (!isLoose || bytes < MIN_BYTES || status === 206) return new Response(body, { status, headers });
  headers.append("Vary", "Accept-Encoding");
  const encoding = chooseEncoding(request.headers.get("Accept-Encoding") ?? undefined);
  const encoder = encoding === undefined ? undefined : ENCODERS.get(encoding)?.();
  if (encoding === undefined || !encoder) return new Response(body, { status, headers });
  headers.set("Content-Encoding", encoding);
  headers.delete("Content-Length");
  // the same content in other bytes
  if (tag && !tag.startsWith("W/")) headers.set("ETag", `W/${tag}`);
  return new Response(throughEncoder(body, encoder), { status, headers });
}

/** Returns a short body whole, so that it has a length, as Node's server sends it; a longer one as a stream. */
async function readStart(
  body: ReadableStream<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  while (pieces.length < 2 || bytes < MIN_BYTES) {
    const { value, done } = await reader.read();
    if (done) return new Uint8Array(Buffer.concat(pieces));
    pieces.push(value);
    bytes += value.length;
  }
  return new ReadableStream({
    async pull(controller) {
      const piece = pieces.shift() ?? (await reader.read()).value;
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function throughEncoder(body: Uint8Array | ReadableStream<Uint8Array>, encoder: Transform): ReadableStream<Uint8Array> {
  // errors of either stream surface in the encoder
  pipeline(Readable.from(body instanceof Uint8Array ? [body] : body), encoder, () => {});
  const encoded = encoder[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await encoded.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel() {
      encoder.destroy();
    },
  });
}
