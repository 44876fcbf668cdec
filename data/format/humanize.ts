/**
 * Returns a text with spaces for `_` and a capital at the start: `some_words` becomes `Some words`. Empty for
 * undefined.
 */
export function humanize(words: string | undefined): string {
  if (!words) return "";
  const plain = words.replaceAll("_", " ").trim();
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
