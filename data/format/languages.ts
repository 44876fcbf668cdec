/** Languages of the page, as BCP 47 codes. */
export const LANGUAGES = ["en", "fr", "de", "es", "ja", "ar", "it", "pt", "zh", "hi"] as const;
export type Language = (typeof LANGUAGES)[number];
