/**
 * Links of the pages, as the site needs them: pages keep their links, and files of the repository become text.
 * @module
 */
import { posix } from "node:path";
import { ADDED, sitePath } from "./sidebar.ts";

/** Part of a token of markdown-it. */
export interface Token {
  readonly type: string;
  tag: string;
  attrs: [name: string, value: string][] | null;
  readonly children: Token[] | null;
}

/** Returns the link for the site, or undefined if the site has no such page. `page` is a path of the repository. */
export function siteLink(page: string, href: string): string | undefined {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href;
  const [path = "", heading] = href.split("#");
  const target = posix.join(posix.dirname(page), path);
  const isPage = target.endsWith(".md") && (target.startsWith("docs/") || target in ADDED);
  if (!isPage) return undefined;
  return `/${sitePath(target)}${heading === undefined ? "" : `#${heading}`}`;
}

/** Rewrites the links of a page's tokens. */
export function rewriteLinks(page: string, tokens: readonly Token[]): void {
  const open: boolean[] = [];
  for (const token of tokens) {
    if (token.children) rewriteLinks(page, token.children);
    if (token.type === "link_open") {
      const { href = "", ...others } = Object.fromEntries(token.attrs ?? []);
      const link = siteLink(page, href);
      open.push(link !== undefined);
      if (link === undefined) token.tag = "span";
      token.attrs = Object.entries(link === undefined ? others : { ...others, href: link });
    }
    if (token.type === "link_close" && open.pop() === false) token.tag = "span";
  }
}
