type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

const XZ = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00];
const GZIP = [0x1f, 0x8b];

/** The content of an .xz or .gz stream, told apart by its first bytes; any other stream as it is. */
export async function decompress(stream: Bytes): Promise<Bytes> {
  const reader = stream.getReader();
  const first = await reader.read();
  const head = first.value ?? new Uint8Array();
  // A host may have sent `Content-Encoding` for the file's name, and the browser undone it: then nothing is left to do.
  const startsWith = (magic: readonly number[]) => magic.every((byte, index) => head[index] === byte);
  const whole: Bytes = new ReadableStream({
    start(controller) {
      if (first.value) controller.enqueue(first.value);
      if (first.done) controller.close();
    },
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  if (startsWith(XZ)) {
    const { XzReadableStream } = await import("xz-decompress");
    return new XzReadableStream(whole) as Bytes;
  }
  if (startsWith(GZIP)) return whole.pipeThrough(new DecompressionStream("gzip"));
  return whole;
}
