/**
 * Names compared the plain way: case and accents ignored, words by their beginnings, scripts without spaces by any part.
 * @module
 */

const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  ł: "l",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  æ: "ae",
  œ: "oe",
  ı: "i",
  ħ: "h",
  ς: "σ",
};

export function fold(text: string): string {
  const plain = text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  return Array.from(plain, (letter) => LETTERS[letter] ?? letter)
    .join("")
    .normalize("NFC");
}

const UNSPACED_SCRIPTS = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"];
const UNSPACED = `${UNSPACED_SCRIPTS.map((name) => `\\p{Script=${name}}`).join("")}々〆ー`;
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");
const WORD = new RegExp(`[${UNSPACED}][${UNSPACED}\\p{M}]*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, "gu");

export const isUnspaced = (word: string): boolean => IS_UNSPACED.test(word);

/** Runs of letters and digits, folded; a change to or from a script without spaces parts them too. */
export function foldedWords(text: string): string[] {
  return fold(text).match(WORD) ?? [];
}

/** Whether every word of the query begins one of the words, or is in one when its script has no spaces. */
export function isFoundAmong(query: string, words: readonly string[]): boolean {
  return foldedWords(query).every((asked) =>
    words.some((word) => (isUnspaced(asked) ? word.includes(asked) : word.startsWith(asked))),
  );
}
