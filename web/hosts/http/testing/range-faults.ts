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
  "knows no ranges": ({ file }) => answerFile(file),
  "answers 200 with the header of a range": (asked) =>
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
  "compresses, then cuts, and does not say so": (asked) =>
    changed(asked, ({ body }) => {
      const start = Number(/=(\d+)/.exec(asked.range ?? "")?.[1]);
      return {
        body: bytesOf(Buffer.concat([gzipSync(asked.file), Buffer.alloc(body.length)])).slice(
          start,
          start + body.length,
        ),
      };
    }),
  "names another range": headed({ "Content-Range": "bytes 0-1/4" }),
  "names a file that is shorter than the range": (asked) =>
    changed(asked, ({ headers }) => ({
      headers: { ...headers, "Content-Range": (headers["Content-Range"] ?? "").replace(/\/\d+/, "/3") },
    })),
  "names no range": without("Content-Range"),
  "names what is no range": headed({ "Content-Range": "lines 1-2/3" }),
  "gives fewer bytes than it names": (asked) =>
    changed(asked, ({ headers, body }) => ({
      headers: { ...headers, "Content-Length": String(body.length - 1) },
      body: body.slice(1),
    })),
  "gives more bytes than were asked for": (asked) =>
    changed(asked, ({ headers, body }) => ({
      headers: { ...headers, "Content-Length": String(body.length + 3) },
      body: new Uint8Array([...body, 1, 2, 3]),
    })),
  "ends early without a word": (asked) =>
    changed(asked, ({ headers, body }) => ({
      headers: { ...headers, "Content-Length": "" },
      body: body.slice(0, body.length / 2),
    })),
  "gives the file's beginning for every range": (asked) =>
    changed(asked, ({ body }) => ({ body: asked.file.slice(0, body.length) })),
  "answers in parts": (asked) =>
    changed(asked, ({ headers, body }) => {
      const told = `--x\r\nContent-Range: ${headers["Content-Range"]}\r\n\r\n`;
      const parts = bytesOf(Buffer.concat([Buffer.from(told), body, Buffer.from("\r\n--x--\r\n")]));
      return {
        headers: { "Content-Type": "multipart/byteranges; boundary=x", "Content-Length": String(parts.length) },
        body: parts,
      };
    }),
  "finds no range within a file": status(416),
  "forbids ranges": status(403),
  "takes ranges for a bad request": status(400),
  "does not implement ranges": status(501),
  "fails on ranges": status(500),
  "has nothing to say to ranges": (asked) =>
    changed(asked, () => ({ status: 204, headers: {}, body: new Uint8Array() })),
} as const satisfies Record<string, RangeFault>;

export type RangeFaultName = keyof typeof RANGE_FAULTS;

/** Unusual, but correct. */
export const STRANGE_RANGES = {
  "says that it takes none": headed({ "Accept-Ranges": "none" }),
  "has a weak tag": headed({ ETag: 'W/"1"' }),
  "does not know how long the file is": (asked) =>
    changed(asked, ({ headers }) => ({
      headers: { ...headers, "Content-Range": (headers["Content-Range"] ?? "").replace(/\/\d+/, "/*") },
    })),
  "spells the unit in capitals": (asked) =>
    changed(asked, ({ headers }) => ({
      headers: { ...headers, "Content-Range": (headers["Content-Range"] ?? "").replace("bytes", "Bytes") },
    })),
  "says that nothing is encoded": headed({ "Content-Encoding": "identity" }),
  "says no length": without("Content-Length"),
  "takes the pack for text": headed({ "Content-Type": "text/plain; charset=utf-8" }),
} as const satisfies Record<string, RangeFault>;
