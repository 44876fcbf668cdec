/**
 * Makes the messages of the page smaller: without unused parts of their formatter, and without the keys of translations.
 * @module
 */
import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";

const PARTS = ["parseDateTimeSkeleton", "parseNumberSkeleton", "parseNumberSkeletonFromString"];

const CATALOGUE = /\/text\/messages\/(?!en\.)[a-z]+\.json$/;
/** Which hours of the day each region counts, for skeletons of times. */
const TIME_DATA = /const timeData = \{[\s\S]*?\n\};/;

/**
 * Removes the formatter's parser of skeletons, `{n, number, ::.00}`. No message has one, which `messages.test.ts` checks.
 * A translation becomes the list of its texts, in the order of the English ones.
 */
export function plainMessages(): Plugin {
  return {
    name: "cairn:plain-messages",
    async load(id) {
      if (CATALOGUE.test(id)) {
        const english = await readFile(id.replace(/[a-z]+\.json$/, "en.json"), "utf8");
        const translated = JSON.parse(await readFile(id, "utf8")) as Readonly<Record<string, string>>;
        const texts = Object.keys(JSON.parse(english) as object).map((key) => translated[key] ?? null);
        return { code: `export default ${JSON.stringify(texts)};`, moduleType: "js" };
      }
      if (id.endsWith("/@formatjs/icu-messageformat-parser/index.js")) {
        const code = await readFile(id, "utf8");
        if (!TIME_DATA.test(code)) throw new Error(`${id} has no table of times`);
        return code.replace(TIME_DATA, "const timeData = {};");
      }
      if (!id.includes("/@formatjs/icu-skeleton-parser/")) return undefined;
      const refuse = 'const refuse = () => { throw new Error("messages have no skeletons"); };';
      return `${refuse} export { ${PARTS.map((part) => `refuse as ${part}`).join(", ")} };`;
    },
  };
}
