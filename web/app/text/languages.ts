import { computed } from "@preact/signals";
import { countryNames } from "../../map/country-name.ts";
import { language, locale, text } from "./text.ts";

/** The page's language, then the others the reader knows. */
export const readable = computed(() => [
  ...new Set([language.value, ...navigator.languages.map((code) => code.split("-")[0] ?? code)]),
]);
const countryIn = computed(() => countryNames(locale.value));
const languages = computed(() => new Intl.DisplayNames(locale.value, { type: "language" }));

export function countryName(code: string): string {
  if (code === "ZZ") return text("country.none");
  return countryIn.value(code) ?? code;
}

export function languageName(code: string): string {
  return nameOr(code, () => languages.value.of(code));
}

/** The name in the first of the reader's languages that has one, else the primary one. */
export function nameFor(primary: string | undefined, common: Readonly<Record<string, string>>): string | undefined {
  return readable.value.map((code) => common[code]).find(Boolean) ?? primary;
}

/** `Intl` throws on codes that are not well formed. */
function nameOr(code: string, name: () => string | undefined): string {
  try {
    return name() ?? code;
  } catch {
    return code;
  }
}
