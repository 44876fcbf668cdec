import { parquetMetadata } from "hyparquet";
import { MAGIC, newFile } from "./new-footer.ts";

/** Each row group of a Parquet file as a file of its own: whoever decodes it needs memory for one. */
export function* eachGroup(file: Uint8Array): Generator<Uint8Array> {
  const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer;
  const metadata = parquetMetadata(buffer, { geoparquet: false });
  for (const index of metadata.row_groups.keys()) {
    const { spans, footer, byteLength } = newFile(metadata, [index]);
    const group = new Uint8Array(byteLength);
    group.set(MAGIC);
    for (const { start, end, at } of spans) group.set(file.subarray(start, end), at);
    group.set(footer, byteLength - footer.length);
    yield group;
  }
}
