export { DropZone } from "./drop-zone.tsx";
export { FileMatches } from "./file-matches.tsx";
export {
  addFiles,
  type FileRowRef,
  fileAnswers,
  goToFileRow,
  openFileRow,
  openRow,
  ownFiles,
  type RefusedFile,
  readingFile,
  refusedFiles,
  removeFile,
} from "./own-files.ts";
