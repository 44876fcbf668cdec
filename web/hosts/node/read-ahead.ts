/** Reads answers ahead of their callers, as far as memory allows. @module */
import { createHeldBytes } from "./held-bytes.ts";

export interface BodyLimits {
  /** Maximum bytes of all answers that are written and not sent. */
  readonly bodyBytes: number;
  /** Maximum number of incomplete answers that wait for their callers. */
  readonly unread: number;
}

/** Maximum shares of all these bytes for one answer and for one client address. */
const MOST_OF_ANSWER = 1 / 8;
const MOST_OF_PEER = 1 / 2;

interface Ahead {
  readonly peer: string;
  /** Called once, when the answer needs no slot any more: at the latest when its caller leaves. */
  readonly onWritten: () => void;
}

/**
 * Returns the buffer for unsent answers of one server. `readAhead` reads an answer into it, so that a slow caller frees its slot.
 */
export function createBodies({ bodyBytes: maxBytes, unread: mostUnread }: BodyLimits) {
  const held = createHeldBytes();
  /** Answers with slow callers above the limit, which keep their slots. */
  const blocked = new Set<() => void>();
  let unread = 0;

  /** Returns the body, read ahead. */
  function readAhead(body: ReadableStream<Uint8Array>, { peer, onWritten }: Ahead): ReadableStream<Uint8Array> {
    const source = body.getReader();
    const chunks: Uint8Array[] = [];
    let ownBytes = 0;
    let isOver = false;
    let hasSlot = false;
    let failure: { readonly error: unknown } | undefined;
    let wakeWriter = (): void => {};
    let wakeReader = (): void => {};

    const isFull = () =>
      ownBytes >= maxBytes * MOST_OF_ANSWER || held.of(peer) >= maxBytes * MOST_OF_PEER || held.total() >= maxBytes;

    function holdOwn(bytes: number): void {
      ownBytes += bytes;
      held.hold(peer, bytes);
    }

    function takeSlot(): void {
      blocked.delete(takeSlot);
      if (unread >= mostUnread) {
        blocked.add(takeSlot);
        return;
      }
      unread++;
      hasSlot = true;
      onWritten();
    }

    async function readAll(): Promise<void> {
      try {
        while (!isOver) {
          if (chunks.length > 0 && isFull()) {
            if (!hasSlot) takeSlot();
            await new Promise<void>((resolve) => {
              wakeWriter = resolve;
            });
            continue;
          }
          const { value, done } = await source.read();
          if (done || isOver) break;
          chunks.push(value);
          holdOwn(value.byteLength);
          wakeReader();
        }
      } catch (error) {
        failure = { error };
      }
      end();
    }

    function end(): void {
      if (isOver) return;
      isOver = true;
      blocked.delete(takeSlot);
      wakeReader();
      if (hasSlot) {
        unread--;
        const [next] = blocked;
        next?.();
      } else onWritten();
    }

    void readAll();
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (chunks.length === 0 && !isOver) {
            await new Promise<void>((resolve) => {
              wakeReader = resolve;
            });
          }
          const chunk = chunks.shift();
          if (chunk) {
            holdOwn(-chunk.byteLength);
            wakeWriter();
            controller.enqueue(chunk);
          } else if (failure) controller.error(failure.error);
          else controller.close();
        },
        async cancel(reason) {
          holdOwn(-ownBytes);
          chunks.length = 0;
          end();
          wakeWriter();
          await source.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  return {
    readAhead,
    heldBytes: held.total,
    unread: () => unread,
    /** The number of answers that keep a slot because of their readers. */
    blocked: () => blocked.size,
  };
}
