/** What a download leaves in its folder and a build reads there. @module */
export { type Citation, mergeAttribution, readCitations } from "./citations.ts";
export { ATTRIBUTION_FILE, EXTRACT_FILE, UNDER_WAY_FOLDER } from "./files.ts";
