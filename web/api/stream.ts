/**
 * Text as a stream of bytes, made while it is read.
 * @module
 */

import { nextTask } from "../engine/index.ts";

/** Pieces are joined to about this size: large enough to be cheap, small enough to come early. */
const CHUNK_CHARS = 64 * 1024;

/** Time given to making text before other work gets its turn. */
const SLICE_MS = 20;

/** The pieces as UTF-8. Memory holds one chunk; the thread is let go after each slice of time. */
export function streamText(pieces: Iterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = pieces[Symbol.iterator]();
  let sliceStart = performance.now();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (performance.now() - sliceStart > SLICE_MS) {
        await nextTask();
        sliceStart = performance.now();
      }
      let text = "";
      while (text.length < CHUNK_CHARS) {
        const { value, done } = iterator.next();
        if (done) {
          if (text !== "") controller.enqueue(encoder.encode(text));
          controller.close();
          return;
        }
        text += value;
      }
      controller.enqueue(encoder.encode(text));
    },
    cancel() {
      iterator.return?.();
    },
  });
}
