/**
 * Removes unused parts of the message formatter from the build of the page.
 * @module
 */
import type { Plugin } from "vite";

const PARTS = ["parseDateTimeSkeleton", "parseNumberSkeleton", "parseNumberSkeletonFromString"];

/**
 * Removes its parser of number skeletons, `{n, number, ::.00}`. No message has one, which `messages.test.ts` checks.
 */
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
