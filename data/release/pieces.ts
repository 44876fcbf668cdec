import type { Span } from "./new-footer.ts";

/** Bytes of a request: a broken line loses no more, and the way there and back weighs little. */
const PIECE_BYTES = 4 * 2 ** 20;

/** Cut so that one request fetches each. */
export function piecesOf(spans: readonly Span[]): Span[] {
  return spans.flatMap(({ start, end, at }) => {
    const pieces: Span[] = [];
    for (let from = start; from < end; from += PIECE_BYTES)
      pieces.push({ start: from, end: Math.min(end, from + PIECE_BYTES), at: at + from - start });
    return pieces;
  });
}
