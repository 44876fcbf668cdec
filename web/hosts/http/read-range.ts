/** Reads ranges of files. From hosts that do not answer ranges correctly, fetches whole files. @module */
import { PACK_BYTES } from "../../../data/format/manifest.ts";
import { type ByteRange, FetchError, type ReadOptions } from "../../engine/index.ts";
import type { PackMemory, WholePack } from "./pack-memory.ts";
import { isPassing, isStall, type OpenAnswer, type Requester } from "./request.ts";
import type { StallWatch } from "./stall.ts";

const MAX_WHOLE_BYTES = 128 * 1024 * 1024;

/** Maximum bytes of a file whose length the host does not say: eight packs of the usual size. */
const MAX_UNSIZED_BYTES = 8 * PACK_BYTES;

interface RangeReaderOptions {
  readonly requester: Requester;
  readonly packs: PackMemory;
  readonly rangeCache: RequestCache;
  readonly retrying: <T>(work: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;
  readonly isPatient: boolean;
}

interface WholeOptions {
  readonly signal?: AbortSignal;
  /** End of the requested range: the file must be at least so long. */
  readonly end?: number | undefined;
}

/** How a range request ended: with its bytes, or with the reason to fetch the whole file. */
type RangeEnd = Uint8Array | "answered otherwise" | "not answered";

const SHARED = new DOMException("the whole file is being fetched", "AbortError");

type ReadRange = (path: string, range: ByteRange, options: ReadOptions) => Promise<Uint8Array>;

/**
 * Returns a function that reads ranges. After any answer but a correct 206, the file is fetched whole, once for all callers, and
 * later files too. Returns fewer bytes for a file that is too short; the caller must check that.
 */
export function rangeReader({ requester, packs, rangeCache, retrying, isPatient }: RangeReaderOptions): ReadRange {
  const asking = new Map<string, Set<StallWatch>>();

  async function requestRange(path: string, range: ByteRange, options: ReadOptions): Promise<RangeEnd> {
    const { signal, fresh = false } = options;
    const own = asking.get(path) ?? new Set();
    asking.set(path, own);
    let watch: StallWatch | undefined;
    try {
      const cache = fresh && rangeCache !== "no-store" ? "reload" : rangeCache;
      const answer = await requester.open(path, { cache, headers: { Range: rangeHeader(range) }, signal }, (begun) => {
        watch = begun;
        own.add(begun);
      });
      const { status } = answer.response;
      const verdict = judgeRange(answer.response, range);
      if (verdict === "right") {
        const bytes = await answer.body(range.end - range.start);
        return bytes.byteLength === range.end - range.start ? bytes : "answered otherwise";
      }
      if (verdict === "whole") {
        if (watch) own.delete(watch);
        void take(path, answer, options).catch(() => {});
        return "answered otherwise";
      }
      await answer.leave();
      const refusal = requester.refused(path, status, "206 for a range");
      if (verdict === "missing" || isPassing(refusal)) throw refusal;
      return "answered otherwise";
    } catch (error) {
      if (watch?.signal.aborted && watch.signal.reason === SHARED) return "answered otherwise";
      throw error;
    } finally {
      if (watch) own.delete(watch);
      if (own.size === 0) asking.delete(path);
    }
  }

  function take(path: string, answer: OpenAnswer, { signal, fresh = false, range }: ReadOptions): Promise<WholePack> {
    let isOpen = true;
    const load = (workSignal: AbortSignal) => {
      if (!isOpen) return retrying(() => requestWhole(path, { fresh, range, signal: workSignal }), workSignal);
      isOpen = false;
      return wholeBody(path, answer, { signal: workSignal, end: range?.end });
    };
    const taken = packs.fetch({ path, isFresh: fresh }, load, signal);
    if (isOpen) void answer.leave();
    isOpen = false;
    for (const watch of asking.get(path) ?? []) watch.leave(SHARED);
    return taken;
  }

  async function requestWhole(path: string, { fresh, range, signal }: ReadOptions): Promise<Uint8Array> {
    const answer = await requester.open(path, { cache: fresh ? "reload" : "default", signal });
    if (answer.response.status === 200) return wholeBody(path, answer, { end: range?.end });
    await answer.leave();
    throw requester.refused(path, answer.response.status, "200");
  }

  /** Reads a body that may be endless. Throws when it is longer than any file may be. */
  async function wholeBody(path: string, answer: OpenAnswer, { signal, end = 0 }: WholeOptions): Promise<Uint8Array> {
    const sent = lengthOf(answer.response);
    // A header may give fewer bytes than the body has.
    const mostBytes = Math.min(MAX_WHOLE_BYTES, Math.max(MAX_UNSIZED_BYTES, sent ?? 0, end));
    const isLonger = sent !== undefined && sent > MAX_WHOLE_BYTES;
    if (isLonger) await answer.leave();
    const bytes = isLonger ? undefined : await answer.body(mostBytes, signal);
    if (bytes && bytes.byteLength <= mostBytes) return bytes;
    throw requester.tooLong(path, mostBytes);
  }

  async function askRange(path: string, range: ByteRange, options: ReadOptions): Promise<RangeEnd> {
    const { signal, isSound, fresh } = options;
    let bytes: RangeEnd;
    try {
      bytes = await retrying(() => requestRange(path, range, options), signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof FetchError) || !mayBeRanges(error)) throw error;
      return "not answered";
    }
    if (typeof bytes === "string") return bytes;
    // damaged twice, although the answer looks correct
    if (fresh && isSound && !(await isSound(bytes))) return "answered otherwise";
    if (packs.answers === "unknown") packs.answers = "ranges";
    return bytes;
  }

  function mayBeRanges(error: FetchError): boolean {
    if (!isPatient || error.status === 404 || error.status === 410 || error.status === 0) return false;
    return error.status !== undefined || isStall(error) || packs.answers === "unknown";
  }

  return async (path, range, options) => {
    const { signal, fresh = false } = options;
    if (fresh) packs.forget(path);
    const kept = packs.peek(path);
    if (kept) return cut({ bytes: kept, isNamed: true }, range);
    const request = { path, isFresh: fresh };
    let end: RangeEnd | undefined;
    if (packs.answers !== "whole" && !packs.isComing(request)) end = await askRange(path, range, options);
    if (end instanceof Uint8Array) return end;
    const pack = await packs.fetch(
      request,
      (workSignal) => {
        const ask = () => requestWhole(path, { fresh, range, signal: workSignal });
        return end === "not answered" ? ask() : retrying(ask, workSignal);
      },
      signal,
    );
    const isSettled = end === "answered otherwise" || (end === "not answered" && packs.answers === "unknown");
    // the login page of a network is not from the host
    if (pack.isNamed && isSettled) packs.answers = "whole";
    return cut(pack, range);
  };
}

/** Returns the range of a whole file. For a file that is too short, returns what `otherThan` returns. */
function cut({ bytes, isNamed }: WholePack, { start, end }: ByteRange): Uint8Array {
  return isNamed || bytes.byteLength >= end ? bytes.slice(start, end) : otherThan(bytes, end - start);
}

/**
 * Returns bytes that were received instead of a range, for a caller that checks them. They never have the requested length: they
 * could be another block of the file, with a valid checksum.
 */
export function otherThan(bytes: Uint8Array, requested: number): Uint8Array {
  return bytes.slice(0, bytes.byteLength === requested ? -1 : undefined);
}

/**
 * What an answer to a range request is: the range (`right`), the whole file, no file (`missing`), or unusable (`wrong`): the host
 * then does not support ranges.
 */
type RangeVerdict = "right" | "whole" | "missing" | "wrong";

/** Returns the length of the body; undefined if the host does not send it, or sends it for a compressed body. */
function lengthOf({ headers }: Response): number | undefined {
  const encoding = headers.get("Content-Encoding")?.trim().toLowerCase() ?? "identity";
  const length = headers.get("Content-Length");
  return length === null || encoding !== "identity" ? undefined : Number(length);
}

type Head = Pick<Response, "status" | "headers" | "type">;

/** Returns the value of the `Range` header. `end` is exclusive. */
export function rangeHeader({ start, end }: ByteRange): string {
  return `bytes=${start}-${end - 1}`;
}

/** Returns what an answer to a range request is, by its status and headers. */
export function judgeRange({ status, headers, type }: Head, { start, end }: ByteRange): RangeVerdict {
  if (status === 200) return "whole";
  if (status === 404 || status === 410) return "missing";
  if (status !== 206) return "wrong";
  const encoding = headers.get("Content-Encoding")?.trim().toLowerCase() ?? "identity";
  // a range of a compressed file is not a range of the file
  if (encoding !== "identity") return "wrong";
  const length = headers.get("Content-Length");
  if (length !== null && Number(length) !== end - start) return "wrong";
  if (/^\s*multipart\//i.test(headers.get("Content-Type") ?? "")) return "wrong";
  const contentRange = headers.get("Content-Range");
  // browsers show it of another origin only if the host allows it
  if (contentRange === null) return type === "cors" ? "right" : "wrong";
  const [, first, last, size] = /^\s*bytes (\d+)-(\d+)\/(\d+|\*)\s*$/i.exec(contentRange) ?? [];
  const isAsked = Number(first) === start && Number(last) === end - 1;
  return isAsked && (size === "*" || Number(size) >= end) ? "right" : "wrong";
}
