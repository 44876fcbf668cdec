export { allEnded } from "./all-ended.ts";
export { DISK, type Disk } from "./disk.ts";
export { eachFile, filesBelow, foldersTo, hashFile } from "./files.ts";
export { explainFullDisk } from "./full-disk.ts";
export { type DatasetLock, lockDataset } from "./lock.ts";
