export { DISK, type Disk, explainFullDisk } from "./disk.ts";
export {
  allEnded,
  eachFile,
  exists,
  filesBelow,
  foldersTo,
  hashFile,
  parseJson,
  readOptional,
  readRange,
  writeWhole,
} from "./files.ts";
export { makeFolder } from "./folders.ts";
export { assertLocked, type DatasetLock, isRunning, lockDataset, startOf } from "./lock.ts";
