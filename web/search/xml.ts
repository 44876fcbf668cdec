/**
 * Text within XML 1.0.
 * @see https://www.w3.org/TR/xml/#charsets
 * @module
 */

/** Characters that XML cannot contain even when escaped: most control characters, halves of surrogate pairs. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  // readers convert the first, and some also the others, to a line feed
  "\r": "&#13;",
  "\u0085": "&#133;",
  "\u2028": "&#8232;",
};

/** Returns the text as element content. Characters that XML cannot contain become U+FFFD. */
export function xmlText(text: string): string {
  return text.replace(FORBIDDEN, "\uFFFD").replace(/[&<>"'\r\u0085\u2028]/g, (char) => ENTITIES[char] ?? char);
}

/**
 * Returns the text for a quoted attribute value, without the quotes. Tabs and line ends are escaped, because readers would turn
 * them into blanks.
 */
export function xmlAttribute(text: string): string {
  return xmlText(text).replaceAll("\t", "&#9;").replaceAll("\n", "&#10;");
}

/** Returns an element with this text. Without a text, or for an empty one, returns an empty text and no element. */
export function xmlElement(name: string, text: string | undefined): string {
  return text ? `<${name}>${xmlText(text)}</${name}>` : "";
}

/** Returns a number without an exponent, which XML Schema's decimals do not have. */
export function xmlDecimal(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(20).replace(/\.?0+$/, "") : text;
}
