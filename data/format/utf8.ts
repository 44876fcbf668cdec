/** The members used here. The types of browsers and Node differ. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new (
  label: "utf-8",
  options: { readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

const encoder = new TextEncoder();
// Ids and terms are compared as bytes, so a leading U+FEFF must stay.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Encodes text as UTF-8. */
export function toUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Decodes UTF-8. Invalid bytes become U+FFFD. */
export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
