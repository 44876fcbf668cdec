export type { AreaLocks } from "./area-locks.ts";
export {
  type AreaFiles,
  type AreaStore,
  missingOf,
  removeSlices,
  removeUnpinned,
  wantedOf,
} from "./area-store.ts";
export { cacheFiles, type FileCache } from "./cache-files.ts";
export { answerPage, isPageKeptOnUse, removeOldPages } from "./cache-pages.ts";
export { openBrowserStore } from "./database.ts";
export { type FileStore, openFileStore } from "./file-store.ts";
export {
  type KeptDataset,
  keepDataset,
  type NetworkOptions,
  type Pin,
  pinnedSource,
  storageEstimate,
} from "./kept-dataset.ts";
export { keptNameOf, parseKeptName } from "./kept-names.ts";
export { keptSlices } from "./kept-slices.ts";
export { blobSink, fileSink, type Sink } from "./sinks.ts";
export { openStore } from "./stores.ts";
