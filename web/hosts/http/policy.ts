/** Content security policies of the pages and workers of a site. @see https://www.w3.org/TR/CSP3/ @module */

import { OVERTURE_CATALOG, releaseHosts } from "../../../data/format/overture-hosts.ts";

type Directives = Readonly<Record<string, readonly string[]>>;

/** Policy of the map page: its own origin only, no inline script or style. It may compile WebAssembly, but no text. */
const PAGE: Directives = {
  "default-src": ["'none'"],
  "script-src": ["'self'", "'wasm-unsafe-eval'"],
  "style-src": ["'self'"],
  // MapLibre's controls have data URLs in the style sheet
  "img-src": ["'self'", "data:", "blob:"],
  "font-src": ["'self'"],
  "connect-src": ["'self'"],
  "worker-src": ["'self'"],
  "manifest-src": ["'self'"],
  "base-uri": ["'none'"],
  "form-action": ["'none'"],
  "require-trusted-types-for": ["'script'"],
  "trusted-types": ["default"],
};

/** Policy of the REST reference. Its component makes HTML of our own descriptions, so Trusted Types cannot be required. */
const REFERENCE: Directives = {
  "default-src": ["'none'"],
  "script-src": ["'self'"],
  "style-src": ["'self'"],
  "img-src": ["'self'", "data:"],
  "font-src": ["'self'", "data:"],
  "connect-src": ["'self'"],
  "worker-src": ["'self'"],
  "base-uri": ["'none'"],
};

/**
 * Policy that is sent with every file of the site, because a worker has the policy of its own script only. It allows what any
 * page needs.
 */
const SITE: Directives = {
  "default-src": ["'none'"],
  "script-src": ["'self'", "'wasm-unsafe-eval'"],
  "style-src": ["'self'"],
  "img-src": ["'self'", "data:", "blob:"],
  "font-src": ["'self'", "data:"],
  "connect-src": ["'self'"],
  "worker-src": ["'self'"],
  "manifest-src": ["'self'"],
  "base-uri": ["'none'"],
  "form-action": ["'none'"],
  "frame-ancestors": ["'self'"],
};

const POLICIES = { page: PAGE, reference: REFERENCE, site: SITE } as const;

/** Policy for files of a dataset: none of them may run as a page on the origin that serves it. */
export const DATASET_POLICY = "default-src 'none'; sandbox";

/**
 * Returns the policy `name` as a header's value. `addresses` are URLs on other hosts that it allows connections to, such as a
 * dataset; relative or undefined ones are ignored.
 */
export function contentSecurityPolicy(
  name: keyof typeof POLICIES,
  ...addresses: readonly (string | undefined)[]
): string {
  const absolute = addresses.filter((address) => address !== undefined).filter((address) => /^https?:/.test(address));
  const elsewhere = [...new Set(absolute.flatMap(hostsOf))];
  return Object.entries(POLICIES[name])
    .map(([name, sources]) => [name, ...sources, ...(name === "connect-src" ? elsewhere : [])].join(" "))
    .join("; ");
}

/** Returns the origins to allow for an address. Overture's catalogue links to files on other hosts. */
function hostsOf(address: string): readonly string[] {
  return address === OVERTURE_CATALOG ? releaseHosts(address) : [new URL(address).origin];
}

/**
 * Returns the URL of Overture's catalogue from which users of a page may fetch areas, from the page's HTML, where the build
 * writes it. Undefined without one.
 */
export function allowedRelease(html: string): string | undefined {
  return /<meta name="cairn-overture" content="([^"]+)"/.exec(html)?.[1];
}

/** Returns the public keys that a page pins, from the page's HTML, where the build writes them. Undefined without keys. */
export function pinnedKey(html: string): string | undefined {
  return /<meta name="cairn-key" content="([^"]+)"/.exec(html)?.[1];
}

/** Returns the URL of an external dataset, from the page's HTML, where the build writes it. Undefined without one. */
export function datasetElsewhere(html: string): string | undefined {
  return /<meta name="cairn-dataset" content="([^"]+)"/.exec(html)?.[1];
}
