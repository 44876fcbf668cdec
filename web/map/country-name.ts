/**
 * Countries as people call them: "China" and "Taiwan", not what a treaty has.
 * @module
 */

/** A function from ISO 3166-1 alpha-2 to the name in the language; undefined where the language knows none. */
export function countryNames(language: string): (code: string) => string | undefined {
  const [short, long] = (["short", "long"] as const).map(
    (style) => new Intl.DisplayNames(language, { type: "region", style, fallback: "none" }),
  );
  return (code) => {
    // `Intl` throws on codes that are not well formed
    if (!/^[A-Z]{2}$/.test(code)) return undefined;
    const name = short?.of(code);
    // short names are what is said, unless they are only written: UK, É.-U.
    return name === undefined || /^[\p{Lu}\p{P}\s]+$/u.test(name) ? long?.of(code) : name;
  };
}
