/**
 * Where the browser knows Trusted Types, the page's policy asks for them: text becomes a script's address only when it is
 * of the page's own origin, and never becomes markup.
 * @module
 */

interface TrustedTypes {
  createPolicy(name: "default", rules: { readonly createScriptURL: (url: string) => string }): unknown;
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
trustedTypes?.createPolicy("default", {
  createScriptURL(url) {
    if (new URL(url, document.baseURI).origin === location.origin) return url;
    throw new TypeError(`script of another origin refused: ${url}`);
  },
});
