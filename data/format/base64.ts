/** The members used here. The types of browsers and Node differ. */
declare function atob(text: string): string;

/** Returns the bytes of a text in base64. Throws if it is not in base64. A loop takes a twentieth of the time of `Uint8Array.from`. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let index = 0; index < letters.length; index++) bytes[index] = letters.charCodeAt(index);
  return bytes;
}
