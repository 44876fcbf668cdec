export { DropZone } from "./drop-zone.tsx";
export { entriesOf } from "./entries.ts";
export { FileMatches } from "./file-matches.tsx";
export { distancesOf, joinedRows } from "./joined-rows.ts";
export {
  addFiles,
  declineToKeep,
  type FileRowRef,
  fileAnswers,
  forgetFile,
  goToFileRow,
  type Keeping,
  keepFile,
  keeping,
  keptFault,
  openFileRow,
  openRow,
  ownFiles,
  type RefusedFile,
  readingFile,
  refusedFiles,
  removedFile,
  removeFile,
  restoreFile,
  startOwnFiles,
} from "./own-files.ts";
