export type { AreaLocks } from "./area-locks.ts";
export { type AreaFiles, type AreaStore, removeUnpinned } from "./area-store.ts";
export { cacheFiles, type FileCache } from "./cache-files.ts";
export { answerPage, isPageKeptOnUse, removeOldPages } from "./cache-pages.ts";
export { isWhole } from "./cache-source.ts";
export { openBrowserStore } from "./database.ts";
export { type KeptDataset, keepDataset, storageEstimate } from "./kept-dataset.ts";
export { blobSink, fileSink, type Sink } from "./sinks.ts";
