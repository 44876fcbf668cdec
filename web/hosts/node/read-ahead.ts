/** What bodies hold together: bytes that are written and wait for their reader. */
export interface BodyMemory {
  readonly maxBytes: number;
  heldBytes: number;
}

const MOST_OF_ALL = 1 / 8;

/** The body, read ahead as far as memory allows. `onRead` is called once: at its end, its failure, or when its reader leaves. */
export function readAhead(
  body: ReadableStream<Uint8Array>,
  memory: BodyMemory,
  onRead: () => void,
): ReadableStream<Uint8Array> {
  const source = body.getReader();
  const chunks: Uint8Array[] = [];
  let heldBytes = 0;
  let isRead = false;
  let failure: { readonly error: unknown } | undefined;
  let wakeWriter = (): void => {};
  let wakeReader = (): void => {};

  function hold(bytes: number): void {
    heldBytes += bytes;
    memory.heldBytes += bytes;
  }
  const isFull = () => heldBytes >= memory.maxBytes * MOST_OF_ALL || memory.heldBytes >= memory.maxBytes;

  async function readAll(): Promise<void> {
    try {
      while (!isRead) {
        if (chunks.length > 0 && isFull()) {
          await new Promise<void>((resolve) => {
            wakeWriter = resolve;
          });
          continue;
        }
        const { value, done } = await source.read();
        if (done || isRead) break;
        chunks.push(value);
        hold(value.byteLength);
        wakeReader();
      }
    } catch (error) {
      failure = { error };
    }
    end();
  }

  function end(): void {
    if (isRead) return;
    isRead = true;
    wakeReader();
    onRead();
  }

  void readAll();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (chunks.length === 0 && !isRead) {
          await new Promise<void>((resolve) => {
            wakeReader = resolve;
          });
        }
        const chunk = chunks.shift();
        if (chunk) {
          hold(-chunk.byteLength);
          wakeWriter();
          controller.enqueue(chunk);
        } else if (failure) controller.error(failure.error);
        else controller.close();
      },
      async cancel(reason) {
        hold(-heldBytes);
        chunks.length = 0;
        end();
        wakeWriter();
        await source.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
