/** The country at the end of an address. @module */
import { foldText } from "../../../data/format/fold.ts";
import { isLanguage, type Language } from "../../../data/format/languages.ts";

/** Names that `Intl` does not have. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ["usa", "US"],
  ["uk", "GB"],
  ["uae", "AE"],
  ["england", "GB"],
  ["scotland", "GB"],
  ["wales", "GB"],
]);

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const byLanguage = new Map<Language, ReadonlyMap<string, string>>();

/** Codes of countries by their folded names in the language. */
function namesIn(language: Language): ReadonlyMap<string, string> {
  const known = byLanguage.get(language);
  if (known) return known;
  const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
  const codes = [...ALPHABET].flatMap((first) => [...ALPHABET].map((second) => first + second));
  // former countries have the names of their successors
  const present = codes.filter((code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`);
  const made = new Map(present.map((code) => [foldText(names.of(code) ?? ""), code]));
  byLanguage.set(language, made);
  return made;
}

const ownNames = new Map<string, string>();

/** The folded name of a country in the language that most people there speak: *nederland*, *日本*. */
function ownNameOf(code: string): string {
  const known = ownNames.get(code);
  if (known !== undefined) return known;
  const { language } = new Intl.Locale(`und-${code}`).maximize();
  const name = foldText(new Intl.DisplayNames([language], { type: "region", fallback: "none" }).of(code) ?? "");
  ownNames.set(code, name);
  return name;
}

/**
 * Returns the text before its last comma and the country that is named after it: in English, in the language if the
 * page has it, or for one of `countries` in its own language. Undefined if no country is named there.
 */
export function withoutCountry(
  text: string,
  {
    language = "en",
    countries = [],
  }: { readonly language?: string | undefined; readonly countries?: readonly string[] },
): { readonly text: string; readonly country: string } | undefined {
  const comma = Math.max(text.lastIndexOf(","), text.lastIndexOf("、"));
  const name = foldText(text.slice(comma + 1)).trim();
  // a code of two letters may be a region
  if (comma < 1 || name.length < 2 || (text.search(/[,、]/u) === comma && name.length === 2)) return undefined;
  const [own = ""] = language.split("-");
  const country =
    OTHERS.get(name) ??
    namesIn("en").get(name) ??
    namesIn(isLanguage(own) ? own : "en").get(name) ??
    countries.find((code) => ownNameOf(code) === name);
  return country === undefined ? undefined : { text: text.slice(0, comma), country };
}
