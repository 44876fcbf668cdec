/**
 * How names are compared: case and accents are ignored, words are found by prefixes. The pipeline writes terms with
 * these functions and the engine searches with them. The manifest has the `FOLD_VERSION` of the pipeline, so that the
 * engine uses the terms only if both agree.
 *
 * @module
 */

/**
 * Version of the stored names. Increase it if the result of `foldText` changes, or the first `MAX_TERM_CHARS`
 * characters of a result of `termsOf`, or the columns that names come from.
 */
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

/**
 * Accents of Latin, Greek and Cyrillic, Hebrew points, Arabic vowel signs and tatweel. Vowel signs of Indic scripts
 * are letters, so they stay.
 */
const ACCENTS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]/gu;

const ASCII = /^[\0-\x7f]*$/;

/** Returns the text without case, accents and width differences: `Łódź` becomes `lodz`, `Straße` becomes `strasse`. */
export function foldText(text: string): string {
  // True for most names, and takes a third of the time.
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

interface Word {
  /** Folded text. */
  readonly text: string;
  /** True if its script has no spaces, so that it is also found inside longer text. */
  readonly isUnspaced: boolean;
}

/** Compared length of a word in characters. The cost of a word grows with its length, and long ones are rare. */
const MAX_WORD_CHARS = 40;

/**
 * Returns the words of a text, folded and each cut to 40 characters. Adjacent characters of a script without spaces,
 * such as Chinese, are one word. Empty if the text has no letters and digits.
 */
export function wordsOf(text: string): Word[] {
  return runsOf(text).map((run) => ({ ...run, text: cut(run.text, MAX_WORD_CHARS) }));
}

/** Returns the words of a text in their full length. */
function runsOf(text: string): Word[] {
  const folded = foldText(text);
  if (ASCII.test(folded)) return (folded.match(ASCII_WORDS) ?? []).map((word) => ({ text: word, isUnspaced: false }));
  return Array.from(folded.matchAll(WORDS), (match) => ({
    text: match[0],
    isUnspaced: match.groups?.unspaced !== undefined,
  }));
}

/**
 * Maximum stored length of the value of a name term in characters: longer than what people type, and short enough for
 * the index.
 */
export const MAX_TERM_CHARS = 24;

/** Returns at most the first `MAX_TERM_CHARS` characters: the form in which a name's term is stored. */
export function cutTerm(text: string): string {
  return cut(text, MAX_TERM_CHARS);
}

function cut(text: string, most: number): string {
  // Most are shorter, and counting characters is slower than counting code units.
  return text.length <= most ? text : Array.from(text).slice(0, most).join("");
}

/**
 * Returns the texts by which a name is found: a query's word matches if one of them starts with it. These are the words
 * of the name, and each suffix of a word in a script without spaces. Each is cut to 40 characters, not to the stored
 * length.
 */
export function termsOf(name: string): Set<string> {
  const terms = new Set<string>();
  for (const { text, isUnspaced } of runsOf(name)) {
    terms.add(cut(text, MAX_WORD_CHARS));
    const characters = isUnspaced ? Array.from(text) : [];
    for (let start = 1; start < characters.length; start++) {
      terms.add(characters.slice(start, start + MAX_WORD_CHARS).join(""));
    }
  }
  return terms;
}

/**
 * Returns the words of a query, folded, each once. A name matches if each word is the prefix of a text of
 * `termsOf(name)`. Empty if the query has no letters and digits.
 */
export function queryTermsOf(text: string): string[] {
  return [...new Set(wordsOf(text).map((word) => word.text))];
}

/** Returns the words of a text as typed, by the folded word that `wordsOf` returns for each. */
export function typedWords(text: string): ReadonlyMap<string, string> {
  return new Map(Array.from(text.matchAll(WORDS), ([word]) => [cut(foldText(word), MAX_WORD_CHARS), word]));
}

/**
 * Returns true if the text is long enough to search for: it has two letters or digits, or one character of Han, Hangul
 * or kana.
 */
export function isSearchable(text: string): boolean {
  const folded = wordsOf(text)
    .map((word) => word.text)
    .join("");
  if (/[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(folded)) return true;
  return Array.from(folded).length >= 2;
}
