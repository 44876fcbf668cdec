/** Joins ranges of one file that are requested in the same task, where the gap costs less than a request. @module */
import {
  type ByteRange,
  type ByteSource,
  type JoinedRange,
  joinNeighbours,
  nextTask,
  REQUEST_BYTES,
  type ReadOptions,
} from "../../engine/index.ts";
import { otherThan } from "./read-range.ts";

interface Wanted extends ByteRange {
  readonly options: ReadOptions;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Returns a source that sends the ranges of one file requested in the same task as few requests. An abort rejects only its own
 * caller.
 */
export function joinRanges(source: ByteSource): ByteSource {
  const waiting = new Map<string, Wanted[]>();

  async function send(path: string): Promise<void> {
    await nextTask();
    const wanted = waiting.get(path) ?? [];
    waiting.delete(path);
    const left = wanted.filter(({ options, reject }) => {
      if (options.signal?.aborted) reject(options.signal.reason);
      return !options.signal?.aborted;
    });
    const gapBytes = left.reduce(
      (least, { options }) => Math.min(least, options.gapBytes ?? REQUEST_BYTES),
      REQUEST_BYTES,
    );
    for (const joined of joinNeighbours(left, gapBytes)) void fetchJoined(source, path, joined);
  }

  return {
    ...source,
    read(path, options = {}) {
      const { range, fresh = false } = options;
      if (!range || fresh) return source.read(path, options);
      return new Promise((resolve, reject) => {
        const wanted = { ...range, options, resolve, reject };
        const others = waiting.get(path);
        if (others) return void others.push(wanted);
        waiting.set(path, [wanted]);
        void send(path);
      });
    },
  };
}

async function fetchJoined(
  source: ByteSource,
  path: string,
  { start, end, parts }: JoinedRange<Wanted>,
): Promise<void> {
  const [only] = parts;
  if (only && parts.length === 1) return void source.read(path, only.options).then(only.resolve, only.reject);
  const controller = new AbortController();
  const left = new Set(parts);
  const stays = parts.map((part) => {
    const { signal } = part.options;
    const leave = () => {
      left.delete(part);
      part.reject(signal?.reason);
      if (left.size === 0) controller.abort(signal?.reason);
    };
    signal?.addEventListener("abort", leave, { once: true });
    return () => signal?.removeEventListener("abort", leave);
  });
  const partOf = (bytes: Uint8Array, part: ByteRange) => bytes.slice(part.start - start, part.end - start);
  try {
    const bytes = await source.read(path, { range: { start, end }, signal: controller.signal });
    // A range of another length goes to each caller whole: the caller reports what is wrong with it.
    const isWhole = bytes.byteLength === end - start;
    for (const part of left) {
      part.resolve(isWhole ? partOf(bytes, part) : otherThan(bytes, part.end - part.start));
    }
  } catch (error) {
    for (const part of left) part.reject(error);
  } finally {
    for (const stay of stays) stay();
  }
}
