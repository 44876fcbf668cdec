/** Starred records: code needed before their panel is opened. @module */
export { NoteFields, StarButton, useRemoval } from "./note-fields.tsx";
