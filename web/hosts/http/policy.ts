/** What pages and workers of a site may load and run. @see https://www.w3.org/TR/CSP3/ @module */

import { OVERTURE_CATALOG, releaseHosts } from "../../../data/format/overture-hosts.ts";

type Directives = Readonly<Record<string, readonly string[]>>;

/** The map page: nothing but its own origin, no inline script or style; WebAssembly is compiled, never text. */
const PAGE: Directives = {
  "default-src": ["'none'"],
  "script-src": ["'self'", "'wasm-unsafe-eval'"],
  "style-src": ["'self'"],
  // MapLibre's controls have their pictures in the style sheet
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

/** The reference: its component makes HTML of descriptions, all of them ours, so Trusted Types cannot be required. */
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

/** Every file of the site, as a header: a worker has no policy but that of its own script. No page of ours needs more. */
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

/** The dataset's files: whoever made them, none is a page that runs something on the origin that serves it. */
export const DATASET_POLICY = "default-src 'none'; sandbox";

/** `addresses` are those of what is not beside the page: a dataset, the catalogue of a release. */
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

/** Overture's catalogue leads to files on other hosts. */
function hostsOf(address: string): readonly string[] {
  return address === OVERTURE_CATALOG ? releaseHosts(address) : [new URL(address).origin];
}

/** Address of the catalogue of Overture's that readers may fetch areas of, which the build writes into the page's head. */
export function allowedRelease(html: string): string | undefined {
  return /<meta name="cairn-overture" content="([^"]+)"/.exec(html)?.[1];
}

/** URL of a dataset that is not beside the page, which the build writes into the page's head. */
export function datasetElsewhere(html: string): string | undefined {
  return /<meta name="cairn-dataset" content="([^"]+)"/.exec(html)?.[1];
}
