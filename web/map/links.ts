/** Links made from data: only schemes that cannot run code. @module */
export interface Link {
  readonly text: string;
  readonly href: string;
}

/** Returns a link for an http or https URL, or for a host and path without a scheme; undefined for others. */
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

/** Returns a link for a text with at least three digits; undefined for other texts. */
export function phoneLink(text: string): Link | undefined {
  const digits = text.replace(/[^\d+]/g, "");
  return digits.length >= 3 ? { text, href: `tel:${digits}` } : undefined;
}

/** `URL.parse` is missing in older browsers that otherwise work. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
