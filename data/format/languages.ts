/** Languages of the page, as BCP 47 codes. */
export const LANGUAGES = ["en", "fr", "de", "es", "ja", "ar", "it", "pt", "zh", "hi"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Returns true if the code is a language of the page. */
export function isLanguage(code: string): code is Language {
  return (LANGUAGES as readonly string[]).includes(code);
}

const LATIN = /\p{Script=Latin}/u;

/** The characters by which a text may be in a language. */
const SCRIPTS: Readonly<Record<Language, RegExp>> = {
  de: LATIN,
  en: LATIN,
  es: LATIN,
  fr: LATIN,
  it: LATIN,
  pt: LATIN,
  ar: /\p{Script=Arabic}/u,
  hi: /\p{Script=Devanagari}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  zh: /\p{Script=Han}/u,
};

/** Returns the languages of the page that are written in one of the scripts of the text. Empty if there are none. */
export function languagesOf(text: string): readonly Language[] {
  return (Object.keys(SCRIPTS) as Language[]).filter((language) => SCRIPTS[language].test(text));
}
