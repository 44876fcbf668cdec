/** Bytes as text: in Unicode, or in the legacy encoding whose letters fit best. @module */

/** Text of a file, the name of its encoding, and notes for the user. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
  readonly notes: readonly string[];
}

/** Bytes outside of ASCII that are enough to recognise an encoding. */
const SAMPLE_BYTES = 20_000;

/**
 * Returns the text of bytes, the name of the encoding in which they were read, and notes for the user: on damaged
 * bytes, or on an encoding that is not Unicode.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const utf16 = utf16Of(bytes);
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes), encoding: utf16, notes: [] };
  const text = new TextDecoder("utf-8").decode(bytes);
  const { valid, broken } = utf8Sequences(bytes);
  if (broken === 0) return { text, encoding: "utf-8", notes: [] };
  if (valid > broken) {
    const line = text.slice(0, text.indexOf("\ufffd")).split(/\r\n?|\n/).length;
    return {
      text,
      encoding: "utf-8",
      notes: [`${broken} damaged byte${broken > 1 ? "s" : ""} replaced by U+FFFD, the first in line ${line}`],
    };
  }
  const encoding = legacyEncoding(bytes);
  return { text: decodeAs(encoding, bytes), encoding, notes: [`read as ${encoding}: the file is not UTF-8`] };
}

/** UTF-16 by its byte order mark, or by the zero bytes of its ASCII characters. */
function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const [first = 0, second = 0] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const zeros = [0, 0];
  const end = Math.min(bytes.length, 4096);
  for (let i = 0; i < end; i++) if (bytes[i] === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > end / 8 && even < odd / 8) return "utf-16le";
  if (even > end / 8 && odd < even / 8) return "utf-16be";
  return undefined;
}

function utf8Sequences(bytes: Uint8Array): { readonly valid: number; readonly broken: number } {
  let [valid, broken] = [0, 0];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte < 0x80) continue;
    const length =
      byte >= 0xc2 && byte < 0xe0 ? 1 : byte >= 0xe0 && byte < 0xf0 ? 2 : byte >= 0xf0 && byte < 0xf5 ? 3 : 0;
    const rest = bytes.subarray(i + 1, i + 1 + length);
    if (length > 0 && rest.length === length && rest.every((one) => one >= 0x80 && one < 0xc0)) {
      valid++;
      i += length;
    } else broken++;
  }
  return { valid, broken };
}

interface Letters {
  /** Frequent letters, in lower case. */
  readonly often: string;
  /** Other letters of the languages, in lower case. */
  readonly rare?: string;
}

/** In the order of preference when two fit equally. */
const SINGLE_BYTE: Readonly<Record<string, Letters>> = {
  "windows-1252": { often: "éèêàâäáãçíñóôöõøúüßæåë", rare: "ïîùûìòœýÿ" },
  "windows-1254": { often: "ğışçöüİ", rare: "âîûéèêàáíóúñä" },
  "windows-1250": { often: "ąćęłńóśźżáčďéěíňřšťúůýžőűăâîşţđäöüß", rare: "ĺľŕçë" },
  "windows-1251": { often: "оеаинтсрвлкмдпуяыьгзбчйхжш", rare: "юэщцфъёіїєґўјљњћџђѓќѕ" },
  "windows-1253": { often: "αοιετσνηυρπκμλςίόάέήύ", rare: "ωώδγβθφχξζψϊϋΐΰ" },
  "windows-1255": { often: "יוהלאתרבמשםנחד", rare: "קעפצגטכסזןךףץ" },
  "windows-1256": { often: "المينتربوعةدسفهكقحجشطصخضأإىئء", rare: "ذزثغظآؤپچژگ" },
  "windows-1257": { often: "ąčęėįšųūžāēģīķļņõäöü", rare: "éóōŗåøæ" },
  "windows-874": { often: "กขคงจชดตถทนบปพมยรลวสหอะาำิีึืุูเแโใไ่้์", rare: "ฃฅฆฉซฌญฎฏฐฑฒณธผฝฟภฤฦศษฬฮฯัฺฅๆ็๊๋" },
  "koi8-r": { often: "оеаинтсрвлкмдпуяыьгзбчйхжш", rare: "юэщцфъё" },
  ibm866: { often: "оеаинтсрвлкмдпуяыьгзбчйхжш", rare: "юэщцфъё" },
  macintosh: { often: "éèêàâäáãçíñóôöõøúüßæåë", rare: "ïîùûìòœÿ" },
};

/** Weight of a character by its lead byte, in the order of preference. */
const DOUBLE_BYTE: Readonly<Record<string, (lead: number) => number>> = {
  shift_jis: (lead) => (lead === 0x82 || lead === 0x83 ? 1.1 : lead >= 0x88 && lead <= 0x97 ? 1 : 0.3),
  "euc-jp": (lead) => (lead === 0xa4 || lead === 0xa5 ? 1.1 : lead >= 0xb0 && lead <= 0xcf ? 0.9 : 0.3),
  "euc-kr": (lead) => (lead >= 0xb0 && lead <= 0xc8 ? 1.05 : 0.2),
  gbk: (lead) =>
    lead >= 0xb0 && lead <= 0xd7 ? 1 : lead >= 0xd8 && lead <= 0xf7 ? 0.6 : lead === 0xa1 || lead === 0xa3 ? 0.5 : -0.3,
  big5: (lead) => (lead >= 0xa4 && lead <= 0xc6 ? 0.95 : lead >= 0xa1 && lead <= 0xa3 ? 0.5 : 0.3),
};

function legacyEncoding(bytes: Uint8Array): string {
  const sample = nonAsciiLines(bytes);
  const scores = [
    ...Object.entries(SINGLE_BYTE).map(
      ([name, letters]) => [name, singleByteScore(decodeAs(name, sample), letters)] as const,
    ),
    ...Object.entries(DOUBLE_BYTE).map(([name, weight]) => [name, doubleByteScore(name, sample, weight)] as const),
  ];
  return scores.reduce((best, one) => (one[1] > best[1] + 1e-9 ? one : best))[0];
}

/** Lines with bytes outside of ASCII, up to the bound. */
function nonAsciiLines(bytes: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  let found = 0;
  for (let start = 0; start < bytes.length && found < SAMPLE_BYTES; ) {
    const at = bytes.subarray(start).findIndex((byte) => byte === 0x0a || byte === 0x0d);
    const end = at < 0 ? bytes.length : start + at + 1;
    const line = bytes.subarray(start, Math.min(end, start + SAMPLE_BYTES));
    const count = line.reduce((sum, byte) => sum + Number(byte >= 0x80), 0);
    if (count > 0) lines.push(line);
    found += count;
    start = end;
  }
  const joined = new Uint8Array(lines.reduce((sum, line) => sum + line.length, 0));
  let offset = 0;
  for (const line of lines) {
    joined.set(line, offset);
    offset += line.length;
  }
  return joined;
}

const LETTER = /\p{L}|\p{M}/u;
const SIGN = /[€–—‘’“”„«»°®©™…§ºª·\u00a0²]/u;

/** How well the characters fit, per byte outside of ASCII. */
function singleByteScore(text: string, { often, rare = "" }: Letters): number {
  const [frequent, others] = [new Set(often), new Set(rare)];
  let [sum, count, run] = [0, 0, 0];
  let before = " ";
  for (const character of text) {
    const isAscii = character < "\u0080";
    const lower = character.toLowerCase();
    const isLatin = /\p{Script=Latin}/u.test(character);
    run = isAscii ? 0 : run + 1;
    if (!isAscii) {
      count++;
      if (frequent.has(lower) || frequent.has(character)) sum += 1;
      else if (others.has(lower)) sum += 0.6;
      else if (SIGN.test(character)) sum += 0.4;
      else if (LETTER.test(character)) sum -= 0.3;
      else sum -= 1;
      // Latin words have few letters with accents in a row
      if (isLatin && run >= 3) sum -= 1;
    }
    if (LETTER.test(character) && LETTER.test(before) && !(isAscii && before < "\u0080")) {
      if (isLatin !== /\p{Script=Latin}/u.test(before)) sum -= 2;
      if (before !== before.toUpperCase() && character !== lower) sum -= 1.5;
    }
    before = character;
  }
  return sum / count;
}

function doubleByteScore(name: string, bytes: Uint8Array, weight: (lead: number) => number): number {
  try {
    new TextDecoder(name, { fatal: true }).decode(bytes);
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
  let [sum, count] = [0, 0];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte < 0x80) continue;
    if (name === "shift_jis" && byte >= 0xa1 && byte <= 0xdf) {
      // half-width katakana
      sum -= 0.1;
      count++;
      continue;
    }
    sum += weight(byte) * 2;
    count += 2;
    i++;
  }
  return sum / count;
}

/** Windows-1252 from 0x80: some versions of Node decode these bytes as control characters. */
const C1 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function decodeAs(encoding: string, bytes: Uint8Array): string {
  return decoderOf(encoding)(bytes);
}

/** Returns a function that decodes bytes in an encoding of `TextDecoder`. Throws `RangeError` for other encodings. */
export function decoderOf(encoding: string): (bytes: Uint8Array) => string {
  const decoder = new TextDecoder(encoding);
  if (encoding !== "windows-1252") return (bytes) => decoder.decode(bytes);
  return (bytes) =>
    decoder.decode(bytes).replace(/[\u0080-\u009f]/g, (control) => C1[control.charCodeAt(0) - 0x80] ?? control);
}

/** Encodings of the code pages of Windows and DOS, other than Windows-125x. */
const CODE_PAGES: Readonly<Record<number, string>> = {
  866: "ibm866",
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  10000: "macintosh",
  20866: "koi8-r",
  21866: "koi8-u",
  20932: "euc-jp",
  51932: "euc-jp",
  51949: "euc-kr",
  54936: "gb18030",
  65001: "utf-8",
};

/**
 * Returns the encoding of a code page as programs write it: `1252`, `ANSI 1252`, `936`, `88591`, `UTF-8`. Undefined if
 * it has none here, such as `OEM 850`.
 */
export function encodingOfCodePage(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  const part = /^(?:iso)?[\s_-]*8859[\s_-]*(\d{1,2})$/.exec(name)?.[1];
  const page = /^(?:ansi|oem|cp|ibm|ms|windows)?[\s_-]*(\d+)$/.exec(name)?.[1];
  const label =
    part !== undefined
      ? `iso-8859-${part}`
      : page !== undefined
        ? (CODE_PAGES[Number(page)] ?? `windows-${page}`)
        : name;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
