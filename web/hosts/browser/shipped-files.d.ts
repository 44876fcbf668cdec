/** Files made by `web/site`, relative to the folder of the page. */
declare module "virtual:shipped-files" {
  interface ShippedFile {
    readonly path: string;
    readonly bytes: number;
  }
  export const parquetWasm: ShippedFile;
  export const duckdbWasm: ShippedFile;
  export const world: ShippedFile;
  export const land: ShippedFile;
  export const maki: ShippedFile;
  export const intents_ar: ShippedFile;
  export const intents_de: ShippedFile;
  export const intents_en: ShippedFile;
  export const intents_es: ShippedFile;
  export const intents_fr: ShippedFile;
  export const intents_hi: ShippedFile;
  export const intents_it: ShippedFile;
  export const intents_ja: ShippedFile;
  export const intents_pt: ShippedFile;
  export const intents_zh: ShippedFile;
  export const words_ar: ShippedFile;
  export const words_de: ShippedFile;
  export const words_en: ShippedFile;
  export const words_es: ShippedFile;
  export const words_fr: ShippedFile;
  export const words_hi: ShippedFile;
  export const words_it: ShippedFile;
  export const words_ja: ShippedFile;
  export const words_pt: ShippedFile;
  export const words_zh: ShippedFile;
}

/** The file as text: JSON unchanged, other files as base64. */
declare module "virtual:shipped-files/*" {
  const content: string;
  export default content;
}
