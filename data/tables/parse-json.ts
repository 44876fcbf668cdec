/** Deeper values take seconds per megabyte to read, and no program can write them again. */
const MAX_DEPTH = 100;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b;
const isClosing = (code: number): boolean => code === 0x5d || code === 0x7d;

/**
 * Returns the value of a JSON text. Throws `SyntaxError` for other text, and for lists and objects nested more than 100
 * deep.
 */
export function parseJson(text: string): unknown {
  let depth = 0;
  let isInText = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) isInText = !isInText;
    else if (isInText) i += code === BACKSLASH ? 1 : 0;
    else if (isOpening(code)) depth++;
    else if (isClosing(code)) depth--;
    if (depth > MAX_DEPTH) throw new SyntaxError(`values nested more than ${MAX_DEPTH} deep, at position ${i}`);
  }
  return JSON.parse(text);
}

/** Returns JSON text with null instead of NaN and Infinity, which Python and DuckDB write. */
export function withoutNaN(text: string): string {
  if (!/[:,[]\s*-?(?:NaN|Infinity)\b/.test(text)) return text;
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gs, (found) =>
    found.startsWith('"') ? found : "null",
  );
}

/** Returns JSON text with integers beyond 53 bits, such as ids, as texts: `JSON.parse` would change their digits. */
export function withExactIntegers(text: string): string {
  if (!/[:,[\s]-?\d{16,}\s*[,}\]]/.test(text)) return text;
  return text.replace(/"(?:[^"\\]|\\.)*"|(?<![\w.+-])-?\d{16,}(?![\w.])/gs, (found) =>
    found.startsWith('"') || Number.isSafeInteger(Number(found)) ? found : `"${found}"`,
  );
}
