/** The texts of the element, in the language of the page around it. @module */
import texts from "virtual:element-text";
import { LANGUAGES, type Language } from "../../../data/format/languages.ts";
import type { ElementKey } from "../../map/element-keys.ts";

/** Texts, and how to write numbers and dates, in one language. */
export interface Speech {
  readonly text: (key: ElementKey, values?: Readonly<Record<string, string | number>>) => string;
  /** BCP 47 tag for numbers and dates. */
  readonly locale: string;
  readonly direction: "ltr" | "rtl";
}

/**
 * Returns the texts in the language of the nearest `lang` attribute, otherwise in the first known language of the
 * browser, otherwise in English.
 */
export function speechOf(element: Element): Speech {
  const stated = element.closest<HTMLElement>("[lang]")?.lang ?? "";
  const known = [stated, ...navigator.languages].find((code) => languageOf(code) !== undefined) ?? "en";
  const language = languageOf(known) ?? "en";
  // the reader's variant of the language, for numbers and dates
  const locale = known.includes("-")
    ? known
    : (navigator.languages.find((code) => languageOf(code) === language) ?? known);
  const messages: Readonly<Record<ElementKey, string>> = texts[language];
  return {
    locale,
    direction: language === "ar" ? "rtl" : "ltr",
    text: (key, values = {}) =>
      messages[key].replaceAll(/\{(\w+)(?:, number)?\}/g, (_, name: string) => {
        const value = values[name] ?? "";
        return typeof value === "number" ? value.toLocaleString(locale) : value;
      }),
  };
}

function languageOf(code: string): Language | undefined {
  const start = code.split("-")[0]?.toLowerCase();
  return LANGUAGES.find((known) => known === start);
}
