export { cutByHash } from "./cut-by-hash.ts";
export { deflate } from "./deflate.ts";
export { createPack } from "./pack-writer.ts";
export { type LooseSlice, writePack, writePacks } from "./write-packs.ts";
