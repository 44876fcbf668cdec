import { IntlMessageFormat } from "intl-messageformat";
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../../../data/format/languages.ts";
import { en, type MessageKey, type Messages } from "./en.ts";

const FILES = import.meta.glob<Readonly<Record<string, Messages>>>(["./*.ts", "!./en.ts", "!./*.test.ts"], {
  eager: true,
});
const CATALOGUES = Object.values(FILES).flatMap((file) => Object.entries(file));

type Element = ReturnType<IntlMessageFormat["getAst"]>[number];

/** Names of the values that a message takes. Throws when it is not well formed. */
function placeholders(message: string, language: string): string[] {
  const names = new Set<string>();
  const visit = (elements: readonly Element[]): void => {
    for (const element of elements) {
      // 0 is plain text, 7 the `#` of a plural: they have no name.
      if (element.type !== 0 && element.type !== 7) names.add(element.value);
      if ("options" in element) for (const option of Object.values(element.options)) visit(option.value);
    }
  };
  visit(new IntlMessageFormat(message, language, undefined, { ignoreTag: true }).getAst());
  return [...names].sort();
}

test("no message has a skeleton, which the page's build cannot read", () => {
  const messages = [en, ...CATALOGUES.map(([, catalogue]) => catalogue)].flatMap((catalogue) =>
    Object.values(catalogue),
  );
  expect(messages.filter((message) => message.includes("::"))).toEqual([]);
});

test("there is a file for each language", () => {
  expect(["en", ...CATALOGUES.map(([code]) => code)].sort()).toEqual([...LANGUAGES].sort());
});

describe.each(CATALOGUES)("%s", (language, catalogue) => {
  test("has every message", () => {
    expect(Object.keys(catalogue).sort()).toEqual(Object.keys(en).sort());
  });

  test("has the same values in each", () => {
    const faults = Object.entries(catalogue).filter(
      ([key, message]) => placeholders(message, language).join() !== placeholders(en[key as MessageKey], "en").join(),
    );
    expect(faults).toEqual([]);
  });

  test("says something for every number", () => {
    const counted = Object.entries(catalogue).filter(([, message]) => message.includes("plural,"));
    for (const [key, message] of counted) {
      for (const count of [0, 1, 2, 3, 11, 100, 1000]) {
        const values = Object.fromEntries(placeholders(message, language).map((name) => [name, count]));
        expect(new IntlMessageFormat(message, language).format(values), `${key} for ${count}`).not.toBe("");
      }
    }
  });
});
