/** The country at the end of an address. @module */
import { foldText } from "../../../data/format/fold.ts";

/** Names that `Intl` does not have. */
const OTHERS: Readonly<Record<string, string>> = {
  usa: "US",
  uk: "GB",
  uae: "AE",
  england: "GB",
  scotland: "GB",
  wales: "GB",
};

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const byLanguage = new Map<string, ReadonlyMap<string, string>>();

function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}

/** Codes of countries by their folded names in the language. */
function namesIn(language: string): ReadonlyMap<string, string> {
  const known = byLanguage.get(language);
  if (known) return known;
  const names = new Intl.DisplayNames([isTag(language) ? language : "en"], { type: "region", fallback: "none" });
  const codes = [...ALPHABET].flatMap((first) => [...ALPHABET].map((second) => first + second));
  // former countries have the names of their successors
  const present = codes.filter((code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`);
  const made = new Map(present.map((code) => [foldText(names.of(code) ?? ""), code]));
  byLanguage.set(language, made);
  return made;
}

/**
 * Returns the text before its last comma and the country that is named after it, in English or in the language;
 * undefined if no country is named there.
 */
export function withoutCountry(
  text: string,
  { language = "en" }: { readonly language?: string | undefined },
): { readonly text: string; readonly country: string } | undefined {
  const comma = text.lastIndexOf(",");
  const name = foldText(text.slice(comma + 1)).trim();
  // a code of two letters may be a region
  if (comma < 1 || name.length < 2 || (text.indexOf(",") === comma && name.length === 2)) return undefined;
  const country = OTHERS[name] ?? namesIn("en").get(name) ?? namesIn(language).get(name);
  return country === undefined ? undefined : { text: text.slice(0, comma), country };
}
