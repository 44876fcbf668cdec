/** Languages of the page, as BCP 47 codes. */
export const LANGUAGES = ["en", "fr", "de", "es", "ja", "ar", "it", "pt", "zh", "hi"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Returns true if the code is a language of the page. */
export function isLanguage(code: string): code is Language {
  return (LANGUAGES as readonly string[]).includes(code);
}

const SCRIPTS: readonly (readonly [RegExp, readonly Language[]])[] = [
  [/\p{Script=Latin}/u, ["de", "en", "es", "fr", "it", "pt"]],
  [/\p{Script=Arabic}/u, ["ar"]],
  [/\p{Script=Devanagari}/u, ["hi"]],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, ["ja"]],
  [/\p{Script=Han}/u, ["ja", "zh"]],
];

/** Returns the languages of the page that are written in one of the scripts of the text. Empty if there are none. */
export function languagesOf(text: string): readonly Language[] {
  return [...new Set(SCRIPTS.flatMap(([script, languages]) => (script.test(text) ? languages : [])))];
}
