/**
 * Names of a record by language.
 * @module
 */

/**
 * Returns the name whose language is `language` (a BCP 47 code), otherwise that of the code without its last parts: for `fr-CH`
 * also `fr`. Ignores case. Undefined if there is none.
 */
export function nameInLanguage<Name>(
  names: Readonly<Record<string, Name>> | null | undefined,
  language: string,
): Name | undefined {
  if (!names || Object.hasOwn(names, language)) return names?.[language];
  const codes = Object.keys(names);
  for (let code = language.toLowerCase(); code !== ""; code = code.slice(0, Math.max(0, code.lastIndexOf("-")))) {
    const found = codes.find((each) => each.toLowerCase() === code);
    if (found !== undefined) return names[found];
  }
  return undefined;
}
