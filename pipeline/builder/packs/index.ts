export { batchesOf } from "./batches.ts";
export { cutByHash } from "./cut-by-hash.ts";
export { type Level, ZSTD_LEVEL } from "./level.ts";
export { createPack, deflate, type LooseSlice, writePack, writePacks } from "./pack-writer.ts";
