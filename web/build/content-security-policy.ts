/**
 * What the pages may load and run, written into them so that it holds on every host.
 * @see https://www.w3.org/TR/CSP3/
 * @module
 */
import type { Plugin } from "vite";

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

/** Puts the policy into each built page. A dataset on another origin, named in the page's head, may be read. */
export function contentSecurityPolicy(): Plugin {
  return {
    name: "cairn:content-security-policy",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { path }) {
        const dataset = /<meta name="cairn-dataset" content="([^"]+)"/.exec(html)?.[1];
        const content = spell(path.includes("docs/") ? REFERENCE : PAGE, dataset);
        return [{ tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content }, injectTo: "head-prepend" }];
      },
    },
  };
}

function spell(directives: Directives, dataset: string | undefined): string {
  const elsewhere = dataset && /^https?:/.test(dataset) ? [new URL(dataset).origin] : [];
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources, ...(name === "connect-src" ? elsewhere : [])].join(" "))
    .join("; ");
}
