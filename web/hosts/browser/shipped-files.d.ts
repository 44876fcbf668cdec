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
