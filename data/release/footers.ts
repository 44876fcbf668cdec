import { type FileMetaData, parquetMetadataAsync, type RowGroup } from "hyparquet";
import type { BBox } from "../format/bbox.ts";
import type { Remote, RemoteFile } from "./remote.ts";
import { RemoteError } from "./remote.ts";

/** A remote Parquet file with the content of its footer. */
export interface OpenedFile {
  readonly file: RemoteFile;
  readonly metadata: FileMetaData;
}

/** Overture's footers have one or two megabytes. This reads most of one at once. */
const FIRST_READ_BYTES = 512 * 1024;

/**
 * Opens the Parquet file at the first address that has it, and reads its footer. Throws the error of the first address
 * if none has it, and `RemoteError` if it is not a Parquet file.
 */
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
      throw new RemoteError(`${address}: ${cause.message}`, { cause });
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

interface PickedGroup {
  readonly index: number;
  readonly rows: number;
  /** Estimate of the wanted rows in the group, at least 1. */
  readonly estimate: number;
}

/**
 * Returns the row groups that may have wanted rows, by the statistics of the column `bbox`. `share` returns the wanted
 * share of a box in degrees, 0 to 1. A group without statistics is selected.
 */
export function pickGroups({ row_groups }: FileMetaData, share: (box: BBox) => number): PickedGroup[] {
  return row_groups.flatMap((group, index) => {
    const box = boxOfGroup(group);
    const part = box ? share(box) : 1;
    const rows = Number(group.num_rows);
    return part > 0 && rows > 0 ? [{ index, rows, estimate: Math.max(1, Math.min(rows, rows * part)) }] : [];
  });
}

function boxOfGroup(group: RowGroup): BBox | undefined {
  const [west, south] = [limitOf(group, "xmin", "min_value"), limitOf(group, "ymin", "min_value")];
  const [east, north] = [limitOf(group, "xmax", "max_value"), limitOf(group, "ymax", "max_value")];
  if (west === undefined || south === undefined || east === undefined || north === undefined) return undefined;
  return [west, south, east, north];
}

function limitOf({ columns }: RowGroup, edge: string, limit: "min_value" | "max_value"): number | undefined {
  const column = columns.find(({ meta_data }) => meta_data?.path_in_schema.join(".") === `bbox.${edge}`);
  const value = column?.meta_data?.statistics?.[limit];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
