/**
 * The policy of each page, written into it so that it holds on every host.
 * @module
 */
import type { Plugin } from "vite";
import { contentSecurityPolicy, datasetElsewhere } from "../hosts/http/index.ts";

/** Puts the policy into each built page. */
export function writePolicies(): Plugin {
  return {
    name: "cairn:content-security-policy",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { path }) {
        const content = contentSecurityPolicy(path.includes("docs/") ? "reference" : "page", datasetElsewhere(html));
        return [{ tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content }, injectTo: "head-prepend" }];
      },
    },
  };
}
