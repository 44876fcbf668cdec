/**
 * The declared size of a Parquet file, read from its footer before decoding. A file can declare a wrong size, so its reader
 * has its own limit.
 * @see https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift FileMetaData, RowGroup
 * @see https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 * @module
 */

export interface ParquetSize {
  readonly rows: number;
  /** Uncompressed bytes of all columns. */
  readonly bytes: number;
}

/** Maximum uncompressed bytes of a file to decode. A partition has about a megabyte, or more with a large outline. */
export const MAX_DECODED_BYTES = 256 * 1024 * 1024;

/** `PAR1`, least byte first. */
const MAGIC = 0x31524150;
/** Length of the metadata, and the magic number. */
const TAIL_BYTES = 8;

// types of the compact protocol; true and false have no bytes of their own
const [TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, STRUCT] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12];
/** Maximum depth of nested structures: deeper than any in the format. */
const MAX_DEPTH = 16;

const ROW_GROUPS = 4;
const GROUP_BYTES = 2;
const GROUP_ROWS = 3;

/** Returns the size that the file declares. Throws if it is not a Parquet file or its footer is damaged. */
export function readParquetSize(file: Uint8Array): ParquetSize {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const tail = file.byteLength - TAIL_BYTES;
  if (tail < 0 || view.getUint32(tail + 4, true) !== MAGIC)
    throw new Error("it is no Parquet file: its end is another's");
  const start = tail - view.getUint32(tail, true);
  if (start < 0) throw new Error("its Parquet footer is longer than the file");
  try {
    return sizeIn(new DataView(file.buffer, file.byteOffset + start, tail - start));
  } catch (cause) {
    throw new Error(`its Parquet footer is damaged: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

function sizeIn(view: DataView): ParquetSize {
  let offset = 0;
  let [rows, bytes] = [0, 0];

  function varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = view.getUint8(offset++);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      if (scale > 2 ** 63) throw new Error("a number without an end");
    }
  }

  /** Calls `take` for each field of a structure. Other fields are skipped. */
  function fields(depth: number, take: (id: number, type: number) => boolean): void {
    if (depth > MAX_DEPTH) throw new Error(`structures deeper than ${MAX_DEPTH}`);
    let id = 0;
    for (let head = view.getUint8(offset++); head !== 0; head = view.getUint8(offset++)) {
      id = head >> 4 ? id + (head >> 4) : signed(varint());
      if (!take(id, head & 15)) pass(head & 15, depth);
    }
  }

  function list(take: (type: number) => void): void {
    const head = view.getUint8(offset++);
    const length = head >> 4 === 15 ? varint() : head >> 4;
    for (let i = 0; i < length; i++) take(head & 15);
  }

  function skip(length: number): void {
    offset += length;
    if (offset > view.byteLength) throw new RangeError("it ends early");
  }

  function pass(type: number, depth: number): void {
    if (type === TRUE || type === FALSE) return;
    if (type === BYTE) skip(1);
    else if (type === I16 || type === I32 || type === I64) varint();
    else if (type === DOUBLE) skip(8);
    else if (type === BINARY) skip(varint());
    // in a list a boolean has a byte
    else if (type === LIST) list((each) => pass(each === TRUE || each === FALSE ? BYTE : each, depth + 1));
    else if (type === STRUCT) fields(depth + 1, () => false);
    else throw new Error(`type ${type}, which the format does not have`);
  }

  fields(0, (id, type) => {
    if (id !== ROW_GROUPS || type !== LIST) return false;
    list(() =>
      fields(1, (member, memberType) => {
        if (memberType !== I64 || (member !== GROUP_BYTES && member !== GROUP_ROWS)) return false;
        const claimed = signed(varint());
        if (claimed < 0) throw new Error(`a row group of ${claimed} ${member === GROUP_ROWS ? "rows" : "bytes"}`);
        if (member === GROUP_ROWS) rows += claimed;
        else bytes += claimed;
        return true;
      }),
    );
    return true;
  });
  return { rows, bytes };
}

/** Zigzag: the sign is the last bit. */
function signed(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
