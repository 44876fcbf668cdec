/**
 * Compares names the simple way: ignores case and accents, matches words by prefix, and scripts without spaces
 * anywhere.
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

/** Folds case and accents. */
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

/** Runs of letters and digits, folded. A change to or from a script without spaces also separates them. */
export function foldedWords(text: string): string[] {
  return fold(text).match(WORD) ?? [];
}

/** Characters of a word of the query that are compared. */
const MAX_WORD_CHARS = 40;

const knownQueries = new Map<string, readonly string[]>();

/** The compared words of a query. Cached, because every row is compared with them. */
function wordsAsked(query: string): readonly string[] {
  const known = knownQueries.get(query);
  if (known) return known;
  const words = foldedWords(query).map((word) => Array.from(word).slice(0, MAX_WORD_CHARS).join(""));
  knownQueries.set(query, words);
  return words;
}

/** True if every word of the query is a prefix of a word, or inside a word of a script without spaces. */
export function isFoundAmong(query: string, words: readonly string[]): boolean {
  return wordsAsked(query).every((asked) =>
    words.some((word) => (isUnspaced(asked) ? word.includes(asked) : word.startsWith(asked))),
  );
}
