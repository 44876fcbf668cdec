/**
 * Compiles the messages of the page when it is built. The page then needs no parser of messages, and translations no keys.
 * @module
 */
import { readFile } from "node:fs/promises";
import { isLiteralElement, type MessageFormatElement, parse } from "@formatjs/icu-messageformat-parser";
import type { Plugin } from "vite";

const CATALOGUE = /\/text\/messages\/([a-z]+)\.json$/;
const PARSER = "/@formatjs/icu-messageformat-parser/index.js";

/** A text without values, or the parts of a message with values. */
type Compiled = string | readonly MessageFormatElement[];

/**
 * Returns a plugin that compiles catalogues of messages. A translation becomes the list of its messages, in the order of the
 * English ones. The parser is replaced by one that takes every string as a text without values.
 */
export function plainMessages(): Plugin {
  return {
    name: "cairn:plain-messages",
    async load(id) {
      const [, code] = CATALOGUE.exec(id) ?? [];
      if (code !== undefined) {
        const english = await readCatalogue(id.replace(/[a-z]+\.json$/, "en.json"));
        const messages = code === "en" ? english : await readCatalogue(id);
        const compiled = Object.keys(english).map((key) => [key, compile(messages[key])] as const);
        const written = code === "en" ? Object.fromEntries(compiled) : compiled.map(([, message]) => message ?? null);
        return { code: `export default ${JSON.stringify(written)};`, moduleType: "js" };
      }
      if (!id.endsWith(PARSER)) return undefined;
      return `export * from "./no-parser.js"; export const parse = (value) => [{ type: 0, value }];`;
    },
  };
}

async function readCatalogue(path: string): Promise<Readonly<Record<string, string>>> {
  return JSON.parse(await readFile(path, "utf8"));
}

function compile(message: string | undefined): Compiled | undefined {
  if (message === undefined) return undefined;
  const parts = parse(message, { ignoreTag: true });
  const [first] = parts;
  return first && parts.length === 1 && isLiteralElement(first) ? first.value : parts;
}
