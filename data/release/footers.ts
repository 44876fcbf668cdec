import { type FileMetaData, parquetMetadataAsync } from "hyparquet";
import type { Remote, RemoteFile } from "./remote.ts";

export interface OpenedFile {
  readonly file: RemoteFile;
  readonly metadata: FileMetaData;
}

/** A footer of Overture's has one or two megabytes, and most of it is read at once. */
const FIRST_READ_BYTES = 512 * 1024;

/** Opens the file at the first of the addresses that has it. */
export async function openParquet(remote: Remote, addresses: readonly string[]): Promise<OpenedFile> {
  const file = await openFirst(remote, addresses);
  const slice = async (start: number, end = file.byteLength): Promise<ArrayBuffer> => {
    const bytes = await file.read(start, end);
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  };
  const metadata = await readMetadata(file, slice);
  return { file, metadata };
}

async function readMetadata(
  { address, byteLength }: RemoteFile,
  slice: (start: number, end?: number) => Promise<ArrayBuffer>,
): Promise<FileMetaData> {
  try {
    return await parquetMetadataAsync({ byteLength, slice }, { initialFetchSize: FIRST_READ_BYTES, geoparquet: false });
  } catch (cause) {
    if (cause instanceof Error && cause.message.startsWith("parquet"))
      throw new Error(`${address}: ${cause.message}`, { cause });
    throw cause;
  }
}

async function openFirst(remote: Remote, addresses: readonly string[]): Promise<RemoteFile> {
  let failure: unknown = new Error("a file without an address");
  for (const [index, address] of addresses.entries()) {
    try {
      return await remote.open(address);
    } catch (error) {
      if (index === 0) failure = error;
    }
  }
  throw failure;
}
