import { batch, computed, signal } from "@preact/signals";
import { IntlMessageFormat } from "intl-messageformat";
import { LANGUAGES, type Language } from "../../../data/format/languages.ts";
import { loadPart } from "../../hosts/browser/parts/index.ts";
import { en, type MessageKey, type Messages } from "./messages/en.ts";

export type { MessageKey } from "./messages/en.ts";

/** By path; each file exports its messages. */
const CATALOGUES = import.meta.glob<Readonly<Record<string, Partial<Messages>>>>([
  "./messages/*.ts",
  "!./messages/en.ts",
  "!./messages/*.test.ts",
]);

async function messagesIn(code: Language): Promise<Partial<Messages>> {
  const catalogue = CATALOGUES[`./messages/${code}.ts`];
  return (catalogue && (await loadPart(catalogue))[code]) ?? en;
}

/** Returns the name of the language in itself. */
export function ownNameOf(code: Language): string {
  const name = new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code;
  return name.replace(/^\p{Ll}/u, (first) => first.toLocaleUpperCase(code));
}

/** The current language; components that read it are redrawn when it changes. */
export const language = signal<Language>("en");
const messages = signal<Partial<Messages>>(en);

/** The user's regional variant of the language, such as `de-CH`, for numbers, dates and names. */
export const locale = computed(() => {
  const variants = typeof navigator === "undefined" ? [] : navigator.languages;
  return variants.find((variant) => variant.split("-")[0] === language.value) ?? language.value;
});

const compiled = new Map<string, IntlMessageFormat>();
let wanted: Language = "en";

/** Whether the page has the language. */
export function isLanguage(code: string | undefined): code is Language {
  return LANGUAGES.some((known) => known === code);
}

/** Loads the messages of a language and switches to it. Rejects when they cannot be loaded. */
export async function speak(next: Language): Promise<void> {
  wanted = next;
  const catalogue = await messagesIn(next);
  if (wanted !== next) return;
  compiled.clear();
  batch(() => {
    messages.value = catalogue;
    language.value = next;
  });
}

/**
 * Returns the message in the current language. Values replace the `{names}` in it, with numbers in the user's format.
 */
export function text(key: MessageKey, values?: Readonly<Record<string, string | number>>): string {
  const message = messages.value[key] ?? en[key];
  let format = compiled.get(message);
  if (!format) {
    format = new IntlMessageFormat(message, locale.value, undefined, { ignoreTag: true });
    compiled.set(message, format);
  }
  return String(format.format(values));
}
