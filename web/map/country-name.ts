/**
 * Common names of countries: "China" and "Taiwan", not the names in treaties.
 * @module
 */

/**
 * Returns a function that returns the name of a country in the language, by ISO 3166-1 alpha-2 code; undefined for a code that is
 * malformed or has no name. Throws `RangeError` for an invalid language.
 */
export function countryNames(language: string): (code: string) => string | undefined {
  const [short, long] = (["short", "long"] as const).map(
    (style) => new Intl.DisplayNames(language, { type: "region", style, fallback: "none" }),
  );
  return (code) => {
    // `Intl` throws on malformed codes
    if (!/^[A-Z]{2}$/.test(code)) return undefined;
    const name = short?.of(code);
    // short names are the spoken ones, unless they are abbreviations: UK, É.-U.
    return name === undefined || /^[\p{Lu}\p{P}\s]+$/u.test(name) ? long?.of(code) : name;
  };
}
