/**
 * Names of countries and languages in the reader's language, and records' names in it.
 * @module
 */

const LANGUAGES = navigator.languages.map((language) => language.split("-")[0] ?? language);
const regions = new Intl.DisplayNames(undefined, { type: "region" });
const languages = new Intl.DisplayNames(undefined, { type: "language" });

export function countryName(code: string): string {
  if (code === "ZZ") return "No country";
  return nameOr(code, () => regions.of(code));
}

export function languageName(code: string): string {
  return nameOr(code, () => languages.of(code));
}

/** The name in the reader's first language that has one, else the primary one. */
export function nameFor(primary: string | undefined, common: Readonly<Record<string, string>>): string | undefined {
  return LANGUAGES.map((language) => common[language]).find(Boolean) ?? primary;
}

/** Codes of data are not always well formed, and `Intl` throws on those. */
function nameOr(code: string, name: () => string | undefined): string {
  try {
    return name() ?? code;
  } catch {
    return code;
  }
}
