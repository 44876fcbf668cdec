import { foldText } from "./fold.ts";
import { LANGUAGES } from "./languages.ts";

const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(0x41 + index));

/** Common names that browsers do not have. */
const OTHER_NAMES = [
  ["United States of America", "US"],
  ["Great Britain", "GB"],
  ["UAE", "AE"],
] as const;

let codes: ReadonlyMap<string, string> | undefined;

/**
 * Returns the ISO 3166-1 alpha-2 code of a country, given its code or its name in one of the page's languages. Ignores
 * case, accents and punctuation. Undefined for any other text.
 */
export function countryCode(text: string): string | undefined {
  codes ??= allCodes();
  return codes.get(plain(text));
}

/** Codes and names from the browser. */
function allCodes(): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  const names = LANGUAGES.flatMap((language) =>
    (["long", "short"] as const).map(
      (style) => new Intl.DisplayNames(language, { type: "region", style, fallback: "none" }),
    ),
  );
  for (const first of LETTERS) {
    for (const second of LETTERS) {
      const code = first + second;
      // `UK` is not in the standard. This maps it to GB.
      const region = new Intl.Locale(`und-${code}`).region ?? code;
      const known = names.map((name) => name.of(region));
      if (known[0] === undefined || region === "ZZ") continue;
      all.set(plain(code), region);
      for (const name of known) if (name !== undefined) all.set(plain(name), all.get(plain(name)) ?? region);
    }
  }
  for (const [name, code] of OTHER_NAMES) all.set(plain(name), code);
  return all;
}

/** Removes case, accents, dots and other signs in which names differ. */
function plain(text: string): string {
  return foldText(text).replace(/[^\p{L}\p{N}]+/gu, "");
}
