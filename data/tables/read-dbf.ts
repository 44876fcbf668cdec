/** Reads dBASE files, the attributes of Shapefiles. @see https://www.loc.gov/preservation/digital/formats/fdd/fdd000325.shtml @module */

interface Field {
  readonly name: string;
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Columns and rows of a dBASE file, deleted rows included. */
interface DbfTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Reads a dBASE file, whose texts `decode` decodes. Dates are ISO texts. Throws if the file is too short. */
export function readDbf(bytes: Uint8Array, decode: (bytes: Uint8Array) => string): DbfTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [count, start, size] = [view.getUint32(4, true), view.getUint16(8, true), view.getUint16(10, true)];
  if (start + count * size > bytes.length) throw new Error("the .dbf file is too short");
  const textOf = (from: number, to: number) => decode(bytes.subarray(from, to)).replaceAll("\0", "").trim();
  const fields: Field[] = [];
  // The first byte of a row marks deleted ones
  let end = 1;
  for (let at = 32; at + 32 <= start && bytes[at] !== 0x0d; at += 32) {
    const nameEnd = bytes.subarray(at, at + 11).indexOf(0);
    const type = String.fromCharCode(view.getUint8(at + 11));
    const field = { name: textOf(at, nameEnd < 0 ? at + 11 : at + nameEnd), type, start: end };
    end += view.getUint8(at + 16);
    fields.push({ ...field, end });
  }
  const rows = Array.from({ length: count }, (_, index) => {
    const row = start + index * size;
    return fields.map((field) => cellValue(field.type, textOf(row + field.start, row + field.end)));
  });
  return { columns: fields.map(({ name }) => name), rows };
}

function cellValue(type: string, text: string): unknown {
  if (text === "") return null;
  if (type === "N" || type === "F" || type === "O") {
    const number = Number.parseFloat(text);
    // ids beyond 53 bits keep their digits
    return /^-?\d{16,}$/.test(text) && !Number.isSafeInteger(number) ? text : number;
  }
  if (type === "L") return /^[YT]$/i.test(text) ? true : /^[NF]$/i.test(text) ? false : null;
  if (type !== "D") return text;
  if (/^0+$/.test(text)) return null;
  return text.replace(/^(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/, "$1-$2-$3");
}
