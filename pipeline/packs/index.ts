export { batchesOf } from "./batches.ts";
export { cutByHash } from "./cut-by-hash.ts";
export { createPack, deflate, type LooseSlice, writePack, writePacks } from "./pack-writer.ts";
