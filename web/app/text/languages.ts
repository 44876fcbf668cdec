import { computed } from "@preact/signals";
import { countryNames } from "../../map/country-name.ts";
import { language, locale, text } from "./text.ts";

/** Codes of the page's language, then of the other languages that the user's browser names. */
export const readable = computed(() => [
  ...new Set([language.value, ...navigator.languages.map((code) => code.split("-")[0] ?? code)]),
]);
const countryIn = computed(() => countryNames(locale.value));
const languages = computed(() => new Intl.DisplayNames(locale.value, { type: "language" }));

/** Returns the name of a country in the language of the page; the code if it has none. */
export function countryName(code: string): string {
  if (code === "ZZ") return text("country.none");
  return countryIn.value(code) ?? code;
}

/** Returns the name of a language in the language of the page; the code if it has none. */
export function languageName(code: string): string {
  return nameOr(code, () => languages.value.of(code));
}

/** Returns the name in the first of the user's languages for which `common` has one, otherwise `primary`. */
export function nameFor(primary: string | undefined, common: Readonly<Record<string, string>>): string | undefined {
  return readable.value.map((code) => common[code]).find(Boolean) ?? primary;
}

/** Returns the name; the code if there is none, or `Intl` throws because the code is malformed. */
function nameOr(code: string, name: () => string | undefined): string {
  try {
    return name() ?? code;
  } catch {
    return code;
  }
}
