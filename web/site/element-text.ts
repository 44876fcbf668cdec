/** The texts of `<cairn-map>` in all languages, from the page's messages. @module */
import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";
import { LANGUAGES } from "../../data/format/languages.ts";
import { ELEMENT_KEYS } from "../map/element-keys.ts";

const MODULE = "virtual:element-text";

/** Returns the messages of `<cairn-map>` by language. Throws for a message that needs a parser. */
export async function elementTexts(): Promise<Record<string, Record<string, string>>> {
  const texts: Record<string, Record<string, string>> = {};
  for (const language of LANGUAGES) {
    const file = new URL(`../app/text/messages/${language}.json`, import.meta.url);
    const messages = JSON.parse(await readFile(file, "utf8")) as Readonly<Record<string, string>>;
    texts[language] = Object.fromEntries(
      ELEMENT_KEYS.map((key) => {
        const message = messages[key];
        if (message === undefined || /, *(plural|select)/.test(message))
          throw new Error(`${language}: ${key} is ${message ?? "missing"}, expected a message without plural`);
        return [key, message];
      }),
    );
  }
  return texts;
}

/** Returns the Vite plugin that provides the texts of `<cairn-map>` as a module. */
export function elementText(): Plugin {
  return {
    name: "cairn:element-text",
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load: async (id) => (id === `\0${MODULE}` ? `export default ${JSON.stringify(await elementTexts())};` : undefined),
  };
}
