export { batchesOf, cutByHash } from "./cut.ts";
export { createPack, deflate, type Level, type LooseSlice, writePack, writePacks, ZSTD_LEVEL } from "./pack-writer.ts";
