/** Returns `some_words` as `Some words`, and an empty text for undefined. */
export function humanize(words: string | undefined): string {
  if (!words) return "";
  const plain = words.replaceAll("_", " ").trim();
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
