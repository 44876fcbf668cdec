/**
 * USTAR archives, uncompressed. @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06 @module
 */

const BLOCK_BYTES = 512;
/** Maximum length of a name. USTAR would split a longer name into two fields; ours are never longer. */
const MAX_NAME_BYTES = 100;
const REGULAR_FILE = "0";

type Bytes = Uint8Array<ArrayBuffer>;

export interface TarEntry {
  readonly name: string;
  readonly size: number;
  content(): Promise<Bytes>;
}

/** Returns the header of a file of `size` bytes. Throws for a name of more than 100 bytes in UTF-8. */
export function tarHeader(name: string, size: number): Bytes {
  const header = new Uint8Array(BLOCK_BYTES);
  const put = (text: string, offset: number) => header.set(new TextEncoder().encode(text), offset);
  if (new TextEncoder().encode(name).length > MAX_NAME_BYTES)
    throw new Error(`${name} is too long a name for the file`);
  put(name, 0);
  put("0000644\0", 100);
  put("0000000\0", 108);
  put("0000000\0", 116);
  put(`${size.toString(8).padStart(11, "0")}\0`, 124);
  // the same area must give the same bytes: all files are dated 1970
  put(`${"0".repeat(11)}\0`, 136);
  put(" ".repeat(8), 148);
  put(REGULAR_FILE, 156);
  put("ustar\0" + "00", 257);
  put(`${checksumOf(header).toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** Returns the zeros after a content of `size` bytes, up to the next block. */
export function tarPadding(size: number): Bytes {
  return new Uint8Array((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);
}

/** Returns the two blocks of zeros that end an archive. */
export function tarEnd(): Bytes {
  return new Uint8Array(2 * BLOCK_BYTES);
}

/** Yields the files of an archive in order. Throws when the archive is invalid, damaged or truncated. */
export async function* readTar(archive: Blob): AsyncGenerator<TarEntry> {
  let offset = 0;
  for (;;) {
    const header = await bytesOf(archive.slice(offset, offset + BLOCK_BYTES));
    if (header.length < BLOCK_BYTES) throw new Error(`the file ends early, at byte ${archive.size}`);
    if (header.every((byte) => byte === 0)) return;
    const stated = Number.parseInt(textAt(header, 148, 8), 8);
    if (textAt(header, 257, 5) !== "ustar" || stated !== checksumOf(header)) {
      throw new Error(offset === 0 ? "this is not a file of a saved area" : `the file is damaged at byte ${offset}`);
    }
    const size = Number.parseInt(textAt(header, 124, 12), 8);
    const start = offset + BLOCK_BYTES;
    if (!(size >= 0) || start + size > archive.size) {
      throw new Error(`the file ends early: ${archive.size} bytes, expected at least ${start + size}`);
    }
    yield { name: textAt(header, 0, MAX_NAME_BYTES), size, content: () => bytesOf(archive.slice(start, start + size)) };
    offset = start + size + tarPadding(size).length;
  }
}

/** Sum of the bytes of the header, with its checksum field as spaces. */
function checksumOf(header: Uint8Array): number {
  return header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);
}

function textAt(header: Uint8Array, offset: number, length: number): string {
  const field = header.subarray(offset, offset + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
}

async function bytesOf(blob: Blob): Promise<Bytes> {
  return new Uint8Array(await blob.arrayBuffer());
}
