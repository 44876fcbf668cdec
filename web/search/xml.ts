/**
 * Text within XML 1.0.
 * @see https://www.w3.org/TR/xml/#charsets
 * @module
 */

/** What no XML document may hold, not even escaped: most control characters, halves of surrogate pairs. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  // readers make a line feed of the first, some of the others too
  "\r": "&#13;",
  "\u0085": "&#133;",
  "\u2028": "&#8232;",
};

/** The text as content of an element; what XML cannot hold becomes U+FFFD. */
export function xmlText(text: string): string {
  return text.replace(FORBIDDEN, "\uFFFD").replace(/[&<>"'\r\u0085\u2028]/g, (char) => ENTITIES[char] ?? char);
}

/** The text as the value of an attribute in quotes, where readers make blanks of tabs and line ends. */
export function xmlAttribute(text: string): string {
  return xmlText(text).replaceAll("\t", "&#9;").replaceAll("\n", "&#10;");
}

/** An element with this text; nothing where there is none. */
export function xmlElement(name: string, text: string | undefined): string {
  return text ? `<${name}>${xmlText(text)}</${name}>` : "";
}

/** A number without an exponent, which XML Schema's decimals do not have. */
export function xmlDecimal(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(20).replace(/\.?0+$/, "") : text;
}
