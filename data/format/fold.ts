/**
 * How names are compared: case and accents ignored, words found by their beginnings. The pipeline writes terms with
 * these functions and the engine asks with them; `FOLD_VERSION` stands in the manifest so that they cannot disagree.
 * @module
 */

/** Raise when `foldText` or `termsOf` give other results, or names are made of other columns. */
export const FOLD_VERSION = 2;

/** Letters that Unicode does not decompose, as people type them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ŋ: "n",
  ŧ: "t",
  ĸ: "k",
  ſ: "s",
  ς: "σ",
};
const PLAIN_PATTERN = new RegExp(`[${Object.keys(PLAIN_LETTERS).join("")}]`, "gu");

/** Accents of Latin, Greek and Cyrillic, Hebrew points, Arabic vowel signs and lengthening. Vowel signs of Indic scripts are letters, and stay. */
const ACCENTS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]/gu;

const ASCII = /^[\0-\x7f]*$/;

/** The text without case, accents and differences of width: `Łódź` gives `lodz`, `Straße` `strasse`. */
export function foldText(text: string): string {
  // most names: a third of the time
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(ACCENTS, "")
    .toLowerCase()
    .replace(ACCENTS, "")
    .replace(PLAIN_PATTERN, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize("NFC");
}

/** Scripts written without spaces between words. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u3005\\u3006\\u30fc";
const WORDS = new RegExp(
  `(?<unspaced>[${UNSPACED}][${UNSPACED}\\p{M}]*)|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`,
  "gu",
);

/** Words of folded ASCII. */
const ASCII_WORDS = /[0-9a-z]+/g;

export interface Word {
  /** Folded. */
  readonly text: string;
  /** Whether its script has no spaces, so that it is found inside longer text too. */
  readonly isUnspaced: boolean;
}

/** The words of a text, folded. A run of a script without spaces is one word. */
export function wordsOf(text: string): Word[] {
  const folded = foldText(text);
  if (ASCII.test(folded)) return (folded.match(ASCII_WORDS) ?? []).map((word) => ({ text: word, isUnspaced: false }));
  return Array.from(folded.matchAll(WORDS), (match) => ({
    text: match[0],
    isUnspaced: match.groups?.unspaced !== undefined,
  }));
}

/** Longest term that is stored, in characters: what people type is shorter, and a term must not swell the index. */
export const MAX_TERM_CHARS = 24;

/** A term as it is stored. */
export function cutTerm(text: string): string {
  // most are shorter, and telling characters from code units takes time
  return text.length <= MAX_TERM_CHARS ? text : Array.from(text).slice(0, MAX_TERM_CHARS).join("");
}

/**
 * The terms under which a name is found: a query's word matches the name when a term begins with it.
 * A word gives itself; a run of a script without spaces also each of its endings, since it is found from any character on.
 */
export function termsOf(name: string): Set<string> {
  const terms = new Set<string>();
  for (const { text, isUnspaced } of wordsOf(name)) {
    terms.add(text);
    const characters = isUnspaced ? Array.from(text) : [];
    for (let start = 1; start < characters.length; start++) terms.add(characters.slice(start).join(""));
  }
  return terms;
}

/** The beginnings of terms that a query's text asks for: all must be found. */
export function queryTermsOf(text: string): string[] {
  return [...new Set(wordsOf(text).map((word) => word.text))];
}

/** The words of a text as they were typed, by the folded word. */
export function typedWords(text: string): ReadonlyMap<string, string> {
  return new Map(Array.from(text.matchAll(WORDS), ([word]) => [foldText(word), word]));
}

/** Whether the text is long enough to search for: two characters, one in Han, Hangul or kana. */
export function isSearchable(text: string): boolean {
  const folded = wordsOf(text)
    .map((word) => word.text)
    .join("");
  if (/[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(folded)) return true;
  return Array.from(folded).length >= 2;
}
