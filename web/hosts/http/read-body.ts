import { joinBytes } from "../../../data/format/bytes.ts";

export interface ReadBodyOptions {
  /** Reading stops soon after so many bytes: a body that is longer is not the one expected, and may never end. */
  readonly maxBytes?: number | undefined;
  readonly onChunk: () => void;
}

/** The bytes of the body; of one that is too long, enough of them to tell. */
export async function readBody(
  { body }: Response,
  { maxBytes = Number.POSITIVE_INFINITY, onChunk }: ReadBodyOptions,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  const reader = body?.getReader();
  while (reader && sizeBytes <= maxBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    onChunk();
    chunks.push(value);
    sizeBytes += value.byteLength;
  }
  await reader?.cancel();
  return joinBytes(chunks);
}
