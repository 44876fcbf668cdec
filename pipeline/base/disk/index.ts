export { DISK, type Disk, explainFullDisk } from "./disk.ts";
export {
  allEnded,
  eachFile,
  exists,
  filesBelow,
  foldersTo,
  type HashedFile,
  hashFile,
  parseJson,
  readOptional,
  readRange,
  writeHashed,
  writeWhole,
} from "./files.ts";
export { makeFolder } from "./folders.ts";
export { assertLocked, type DatasetLock, isRunning, lockDataset, startOf } from "./lock.ts";
