/** Languages of the page, as BCP 47 codes. */
export const LANGUAGES = ["en", "fr", "de", "es", "ja", "ar", "it", "pt", "zh", "hi"] as const;
export type Language = (typeof LANGUAGES)[number];

/** True if the code is a language of the page. */
export function isLanguage(code: string): code is Language {
  return (LANGUAGES as readonly string[]).includes(code);
}
