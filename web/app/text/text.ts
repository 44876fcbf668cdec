/**
 * The page's own words in the reader's language.
 * @module
 */
import { signal } from "@preact/signals";
import { IntlMessageFormat } from "intl-messageformat";
import { en, type MessageKey, type Messages } from "./messages/en.ts";

/** Languages of the page, as BCP 47 codes. */
export const LANGUAGES = ["en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language that `text` answers in; components that read it are drawn anew when it changes. */
export const language = signal<Language>("en");
const messages = signal<Messages>(en);
const compiled = new Map<string, IntlMessageFormat>();

/** The message in the reader's language. Values fill the `{names}` in it; numbers are written in the reader's way. */
export function text(key: MessageKey, values?: Readonly<Record<string, string | number>>): string {
  const message = messages.value[key];
  let format = compiled.get(message);
  if (!format) {
    format = new IntlMessageFormat(message, language.value, undefined, { ignoreTag: true });
    compiled.set(message, format);
  }
  return String(format.format(values));
}
