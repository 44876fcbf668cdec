/** Makes links from data, only with schemes that cannot run code. @module */
export interface Link {
  readonly text: string;
  readonly href: string;
}

/** Returns a link for an http or https URL, or for a host and path without a scheme; undefined for any other text. */
export function webLink(text: string): Link | undefined {
  const url = parseUrl(text) ?? parseUrl(`https://${text}`);
  if (!url || !["http:", "https:"].includes(url.protocol) || !url.hostname.includes(".")) return undefined;
  const short = text.replace(/^https?:\/\/(www\.)?/i, "").replace(/\/$/, "");
  return { text: short, href: url.href };
}

/** Returns a link for a mail address; undefined for other texts. */
export function mailLink(text: string): Link | undefined {
  return /^[^\s@<>"]+@[^\s@<>"]+$/.test(text)
    ? { text, href: `mailto:${encodeURIComponent(text).replace("%40", "@")}` }
    : undefined;
}

/** Returns a link for a phone number, which is any text with at least three digits; undefined for any other text. */
export function phoneLink(text: string): Link | undefined {
  const digits = text.replace(/[^\d+]/g, "");
  return digits.length >= 3 ? { text, href: `tel:${digits}` } : undefined;
}

/** Returns the URL; undefined if invalid. `URL.parse` is missing in older browsers that otherwise work. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
