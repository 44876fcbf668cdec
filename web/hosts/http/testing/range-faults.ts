/**
 * Faults of hosts and proxies in range requests, by name. They serve whole files correctly.
 * @module
 */
import { brotliCompressSync, gzipSync } from "node:zlib";
import { answerFile, type FileAnswer } from "./range-answer-of.ts";

export interface AskedFile {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly range: string | undefined;
}

export type RangeFault = (asked: AskedFile) => FileAnswer;

const changed = (asked: AskedFile, change: (right: FileAnswer) => Partial<FileAnswer>): FileAnswer => {
  const right = answerFile(asked.file, asked);
  return right.status === 206 ? { ...right, ...change(right) } : right;
};
const headed = (headers: Readonly<Record<string, string>>) => (asked: AskedFile) =>
  changed(asked, (right) => ({ headers: { ...right.headers, ...headers } }));
const without =
  (...names: readonly string[]) =>
  (asked: AskedFile) =>
    changed(asked, (right) => ({
      headers: Object.fromEntries(Object.entries(right.headers).filter(([name]) => !names.includes(name))),
    }));
const status = (code: number) => (asked: AskedFile) =>
  changed(asked, () => ({ status: code, headers: { "Content-Length": "2" }, body: new Uint8Array([110, 111]) }));
const bytesOf = (compressed: Buffer) => new Uint8Array(compressed);

/** Files must be incompressible, so that a part of the compressed file has the requested length. */
export const RANGE_FAULTS = {
  "supports no ranges": ({ file }) => answerFile(file),
  "answers 200 with Content-Range": (asked) =>
    changed(asked, ({ headers }) => ({
      status: 200,
      headers: { ...headers, "Content-Length": String(asked.file.length) },
      body: asked.file,
    })),
  "compresses the whole file": ({ file }) => {
    const body = bytesOf(gzipSync(file));
    return { status: 200, headers: { "Content-Encoding": "gzip", "Content-Length": String(body.length) }, body };
  },
  "compresses, then cuts": (asked) =>
    changed(asked, ({ headers, body }) => {
      const start = Number(/=(\d+)/.exec(asked.range ?? "")?.[1]);
      const compressed = bytesOf(gzipSync(asked.file)).slice(start, start + body.length);
      return { headers: { ...headers, "Content-Encoding": "gzip" }, body: compressed };
    }),
  "cuts, then compresses": (asked) =>
    changed(asked, ({ headers, body }) => {
      const compressed = bytesOf(brotliCompressSync(body));
      const more = { "Content-Encoding": "br", "Content-Length": String(compressed.length) };
      return { headers: { ...headers, ...more }, body: compressed };
    }),
  "compresses, then cuts, without Content-Encoding": (asked) =>
    changed(asked, ({ body }) => {
      const start = Number(/=(\d+)/.exec(asked.range ?? "")?.[1]);
      return {
        body: bytesOf(Buffer.concat([gzipSync(asked.file), Buffer.alloc(body.length)])).slice(
          start,
          start + body.length,
        ),
      };
    }),
  "sends another Content-Range": headed({ "Content-Range": "bytes 0-1/4" }),
  "sends a file size below the range": (asked) =>
    changed(asked, ({ headers }) => ({
      headers: { ...headers, "Content-Range": (headers["Content-Range"] ?? "").replace(/\/\d+/, "/3") },
    })),
  "sends no Content-Range": without("Content-Range"),
  "sends an invalid Content-Range": headed({ "Content-Range": "lines 1-2/3" }),
  "sends fewer bytes than requested": (asked) =>
    changed(asked, ({ headers, body }) => ({
      headers: { ...headers, "Content-Length": String(body.length - 1) },
      body: body.slice(1),
    })),
  "sends more bytes than requested": (asked) =>
    changed(asked, ({ headers, body }) => ({
      headers: { ...headers, "Content-Length": String(body.length + 3) },
      body: new Uint8Array([...body, 1, 2, 3]),
    })),
  "sends half of the bytes without a length": (asked) =>
    changed(asked, ({ headers, body }) => ({
      headers: { ...headers, "Content-Length": "" },
      body: body.slice(0, body.length / 2),
    })),
  "sends the start of the file for every range": (asked) =>
    changed(asked, ({ body }) => ({ body: asked.file.slice(0, body.length) })),
  "answers with multipart/byteranges": (asked) =>
    changed(asked, ({ headers, body }) => {
      const head = `--x\r\nContent-Range: ${headers["Content-Range"]}\r\n\r\n`;
      const parts = bytesOf(Buffer.concat([Buffer.from(head), body, Buffer.from("\r\n--x--\r\n")]));
      return {
        headers: { "Content-Type": "multipart/byteranges; boundary=x", "Content-Length": String(parts.length) },
        body: parts,
      };
    }),
  "answers 416 for valid ranges": status(416),
  "forbids ranges": status(403),
  "answers 400 for ranges": status(400),
  "does not implement ranges": status(501),
  "fails on ranges": status(500),
  "answers 204 for ranges": (asked) => changed(asked, () => ({ status: 204, headers: {}, body: new Uint8Array() })),
} as const satisfies Record<string, RangeFault>;

export type RangeFaultName = keyof typeof RANGE_FAULTS;

/** Unusual, but correct. */
export const STRANGE_RANGES = {
  "sends Accept-Ranges: none": headed({ "Accept-Ranges": "none" }),
  "has a weak tag": headed({ ETag: 'W/"1"' }),
  "sends no file size": (asked) =>
    changed(asked, ({ headers }) => ({
      headers: { ...headers, "Content-Range": (headers["Content-Range"] ?? "").replace(/\/\d+/, "/*") },
    })),
  "spells the unit with a capital letter": (asked) =>
    changed(asked, ({ headers }) => ({
      headers: { ...headers, "Content-Range": (headers["Content-Range"] ?? "").replace("bytes", "Bytes") },
    })),
  "sends Content-Encoding: identity": headed({ "Content-Encoding": "identity" }),
  "sends no Content-Length": without("Content-Length"),
  "sends the pack as text/plain": headed({ "Content-Type": "text/plain; charset=utf-8" }),
} as const satisfies Record<string, RangeFault>;
