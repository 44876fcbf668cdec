/** Content security policies of the pages and workers of a site. @see https://www.w3.org/TR/CSP3/ @module */

import { OVERTURE_CATALOG, releaseHosts } from "../../../data/format/overture-hosts.ts";

type Directives = Readonly<Record<string, readonly string[]>>;

/** The map page: only its own origin, no inline script or style. WebAssembly may be compiled, text may not. */
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

/** The REST reference: its component makes HTML of our own descriptions, so Trusted Types cannot be required. */
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

/** Sent as a header with every file of the site: a worker has only the policy of its own script. No page needs more. */
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

/** For dataset files: no file, whoever made it, may run as a page on the origin that serves it. */
export const DATASET_POLICY = "default-src 'none'; sandbox";

/** Returns the policy of a page. `addresses` are external resources: a dataset, the catalogue of a release. */
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

/** Overture's catalogue links to files on other hosts. */
function hostsOf(address: string): readonly string[] {
  return address === OVERTURE_CATALOG ? releaseHosts(address) : [new URL(address).origin];
}

/**
 * Returns the URL of the Overture catalogue from which users may fetch areas, from the HTML of a page. The build writes it there.
 * Undefined without one.
 */
export function allowedRelease(html: string): string | undefined {
  return /<meta name="cairn-overture" content="([^"]+)"/.exec(html)?.[1];
}

/** Returns the public keys that a page pins, from its HTML. The build writes them there. Undefined without keys. */
export function pinnedKey(html: string): string | undefined {
  return /<meta name="cairn-key" content="([^"]+)"/.exec(html)?.[1];
}

/** Returns the URL of an external dataset, from the HTML of a page. The build writes it there. Undefined without one. */
export function datasetElsewhere(html: string): string | undefined {
  return /<meta name="cairn-dataset" content="([^"]+)"/.exec(html)?.[1];
}
