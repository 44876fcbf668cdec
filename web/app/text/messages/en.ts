/**
 * The page's own words in English, the language that the others are translated from. ICU message syntax.
 * @module
 */

export const en = {
  "app.name": "Cairn",
  "results.count": "{count, plural, one {# result} other {# results}}",
} as const satisfies Record<string, string>;

export type MessageKey = keyof typeof en;
/** All messages in one language. */
export type Messages = Readonly<Record<MessageKey, string>>;
