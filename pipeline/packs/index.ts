export { cutByHash, type Weighed } from "./cut-by-hash.ts";
export { deflate } from "./deflate.ts";
export { createPack, type PackWriter, type WrittenSlice } from "./pack-writer.ts";
export { type LooseSlice, type PackPlace, writePack, writePacks } from "./write-packs.ts";
