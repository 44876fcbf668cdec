/**
 * What the page's build leaves out of the formatter of messages.
 * @module
 */
import type { Plugin } from "vite";

const PARTS = ["parseDateTimeSkeleton", "parseNumberSkeleton", "parseNumberSkeletonFromString"];

/** The formatter without its reader of skeletons, `{n, number, ::.00}`: no message has one, as `messages.test.ts` holds. */
export function plainMessages(): Plugin {
  return {
    name: "cairn:plain-messages",
    load(id) {
      if (!id.includes("/@formatjs/icu-skeleton-parser/")) return undefined;
      const refuse = 'const refuse = () => { throw new Error("messages have no skeletons"); };';
      return `${refuse} export { ${PARTS.map((part) => `refuse as ${part}`).join(", ")} };`;
    },
  };
}
