/** Files made by `web/build`, below the page's folder. */
declare module "virtual:shipped-files" {
  interface ShippedFile {
    readonly path: string;
    readonly bytes: number;
  }
  export const parquetWasm: ShippedFile;
  export const duckdbWasm: ShippedFile;
  export const world: ShippedFile;
}

/** The file of that name as text: JSON as it is, other files as base64. */
declare module "virtual:shipped-files/*" {
  const content: string;
  export default content;
}
