/** Links made from data: only schemes that cannot run anything. @module */
export interface Link {
  readonly text: string;
  readonly href: string;
}

/** A web address as a link, when it is one of http or https. */
export function webLink(text: string): Link | undefined {
  const url = parseUrl(text) ?? parseUrl(`https://${text}`);
  if (!url || !["http:", "https:"].includes(url.protocol) || !url.hostname.includes(".")) return undefined;
  const short = text.replace(/^https?:\/\/(www\.)?/i, "").replace(/\/$/, "");
  return { text: short, href: url.href };
}

export function mailLink(text: string): Link | undefined {
  return /^[^\s@<>"]+@[^\s@<>"]+$/.test(text)
    ? { text, href: `mailto:${encodeURIComponent(text).replace("%40", "@")}` }
    : undefined;
}

export function phoneLink(text: string): Link | undefined {
  const digits = text.replace(/[^\d+]/g, "");
  return digits.length >= 3 ? { text, href: `tel:${digits}` } : undefined;
}

/** `URL.parse` is younger than browsers that run all else. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
