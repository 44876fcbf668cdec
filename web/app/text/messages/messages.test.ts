import { IntlMessageFormat } from "intl-messageformat";
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../../../data/format/languages.ts";
import en from "./en.json" with { type: "json" };

type Messages = Readonly<Record<string, string>>;

const FILES = import.meta.glob<Messages>("./*.json", { eager: true, import: "default" });
const CATALOGUES = Object.entries(FILES).map(([path, messages]) => ({
  language: path.replace(/^\.\/|\.json$/g, ""),
  messages,
}));
const ENGLISH: Messages = en;

type Element = ReturnType<IntlMessageFormat["getAst"]>[number];

/** Names of the values that a message takes. Throws when it is not well formed. */
function placeholders(message: string, language: string): string[] {
  const names = new Set<string>();
  for (const element of elementsOf(message, language)) {
    // 0 is plain text, 7 the `#` of a plural: they have no name.
    if (element.type !== 0 && element.type !== 7) names.add(element.value);
  }
  return [...names].sort();
}

/** Parts of a message, with those of its plural forms. */
function elementsOf(message: string, language: string): Element[] {
  const found = new IntlMessageFormat(message, language, undefined, { ignoreTag: true }).getAst();
  for (const element of found) {
    if ("options" in element) found.push(...Object.values(element.options).flatMap(({ value }) => value));
  }
  return found;
}

test("no message has a skeleton, which the page's build cannot read", () => {
  const messages = CATALOGUES.flatMap((catalogue) => Object.values(catalogue.messages));
  expect(messages.filter((message) => message.includes("::"))).toEqual([]);
});

test("there is a file for each language", () => {
  expect(CATALOGUES.map(({ language }) => language).sort()).toEqual([...LANGUAGES].sort());
});

describe.each(CATALOGUES)("$language", ({ language, messages }) => {
  test("has every message, sorted by key", () => {
    expect(Object.keys(messages)).toEqual(Object.keys(en).sort());
  });

  test("has the same values in each", () => {
    const faults = Object.entries(messages).filter(
      ([key, message]) => placeholders(message, language).join() !== placeholders(ENGLISH[key] ?? "", "en").join(),
    );
    expect(faults).toEqual([]);
  });

  test("has all plural forms of the language, and no other", () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort();
    const faults = Object.entries(messages).filter(([, message]) =>
      elementsOf(message, language).some(
        (element) =>
          element.type === 6 &&
          Object.keys(element.options)
            .filter((form) => !form.startsWith("="))
            .sort()
            .join() !== forms.join(),
      ),
    );
    expect(faults).toEqual([]);
  });

  test("says something for every number", () => {
    const counted = Object.entries(messages).filter(([, message]) => message.includes("plural,"));
    for (const [key, message] of counted) {
      for (const count of [0, 1, 2, 3, 11, 100, 1000, 1_000_000]) {
        const values = Object.fromEntries(placeholders(message, language).map((name) => [name, count]));
        expect(new IntlMessageFormat(message, language).format(values), `${key} for ${count}`).not.toBe("");
      }
    }
  });
});
