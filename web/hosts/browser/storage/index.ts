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
export { cacheNameOf, parseCacheName } from "./cached-names.ts";
export { cachedSlices } from "./cached-slices.ts";
export { openBrowserStore } from "./database.ts";
export {
  type DatasetStorage,
  type NetworkOptions,
  openDatasetStorage,
  type Pin,
  pinnedSource,
  storageEstimate,
} from "./dataset-storage.ts";
export { type FileStore, openFileStore } from "./file-store.ts";
export { blobSink, fileSink, type Sink } from "./sinks.ts";
export { openStore } from "./stores.ts";
