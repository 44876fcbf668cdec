/** Turns text into a stream of bytes while it is made. @module */

import { nextTask, Utf8Writer } from "../engine/index.ts";
import type { Piece } from "../search/index.ts";

/** Pieces are joined to about this size: large enough to be efficient, small enough to arrive early. */
const CHUNK_BYTES = 64 * 1024;

/** Time spent on text before other work gets a turn. */
const SLICE_MS = 20;

/** Returns the pieces as a stream of UTF-8. It has about 64 KiB in memory, and yields to other work after 20 ms. */
export function streamText(pieces: Iterable<Piece> | AsyncIterable<Piece>): ReadableStream<Uint8Array> {
  const chunk = new Utf8Writer();
  const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  let sliceStart = performance.now();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (performance.now() - sliceStart > SLICE_MS) {
        await nextTask();
        sliceStart = performance.now();
      }
      while (chunk.length < CHUNK_BYTES) {
        const next = iterator.next();
        const { value, done } = next instanceof Promise ? await next : next;
        if (done) {
          if (chunk.length > 0) controller.enqueue(chunk.take());
          controller.close();
          return;
        }
        if (typeof value === "string") chunk.text(value);
        else chunk.bytes(value);
      }
      controller.enqueue(chunk.take());
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
