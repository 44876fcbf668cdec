import { batch, computed, signal } from "@preact/signals";
import { IntlMessageFormat } from "intl-messageformat";
import { LANGUAGES, type Language } from "../../../data/format/languages.ts";
import { loadPart } from "../../hosts/browser/parts/index.ts";
import en from "./messages/en.json" with { type: "json" };

/** Name of a message. English has all messages; one that another language lacks is shown in English. */
export type MessageKey = keyof typeof en;
/** A message in ICU syntax, which translation tools read. In a built page it is parsed already. */
type Message = NonNullable<ConstructorParameters<typeof IntlMessageFormat>[0]>;
type Messages = Readonly<Partial<Record<MessageKey, Message>>>;

/** Functions that load the messages of a language, by path of the file. */
const CATALOGUES = import.meta.glob<{ readonly default: Messages | readonly (Message | null)[] }>([
  "./messages/*.json",
  "!./messages/en.json",
]);

async function messagesIn(code: Language): Promise<Messages> {
  const catalogue = CATALOGUES[`./messages/${code}.json`];
  if (!catalogue) return en;
  const { default: loaded } = await loadPart(catalogue);
  // a build has the messages without their keys
  if (!Array.isArray(loaded)) return loaded as Messages;
  const texts: readonly (Message | null)[] = loaded;
  return Object.fromEntries(Object.keys(en).flatMap((key, index) => (texts[index] ? [[key, texts[index]]] : [])));
}

/** Returns the name of the language in that language, with a capital letter. */
export function ownNameOf(code: Language): string {
  const name = new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code;
  return name.replace(/^\p{Ll}/u, (first) => first.toLocaleUpperCase(code));
}

/** The current language; components that read it are redrawn when it changes. */
export const language = signal<Language>("en");
const messages = signal<Messages>(en);

/** The user's regional variant of the page's language, such as `de-CH`, for numbers, dates and names. */
export const locale = computed(() => {
  const variants = typeof navigator === "undefined" ? [] : navigator.languages;
  return variants.find((variant) => variant.split("-")[0] === language.value) ?? language.value;
});

const compiled = new Map<Message, IntlMessageFormat>();
let wanted: Language = "en";

/** Returns whether the page is translated into the language. */
export function isLanguage(code: string | undefined): code is Language {
  return LANGUAGES.some((known) => known === code);
}

/** Loads the messages of a language and switches to it, unless another call came later. Rejects if they cannot be loaded. */
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

/** Returns whether there is a message with that name. */
export function isKey(key: string): key is MessageKey {
  return Object.hasOwn(en, key);
}

/**
 * Returns the message in the current language, otherwise in English. Values replace the `{names}` in it, with numbers in the
 * user's format. Throws if a value is missing.
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
