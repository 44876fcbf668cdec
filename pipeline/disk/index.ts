export { DISK, type Disk } from "./disk.ts";
export { allEnded, eachFile, exists, filesBelow, foldersTo, hashFile, readRange, writeWhole } from "./files.ts";
export { type DatasetLock, lockDataset } from "./lock.ts";
