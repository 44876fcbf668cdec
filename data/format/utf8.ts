/** As much of them as is needed here: browsers and Node type them each in their own way. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new (
  label: "utf-8",
  options: { readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

const encoder = new TextEncoder();
// ids and terms are compared as bytes: a leading U+FEFF is a part of one
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text as UTF-8. */
export function toUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The text in UTF-8 bytes; what is no UTF-8 becomes U+FFFD. */
export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
