export const ATTRIBUTION_FILE = "attribution.json";

/** Contains release and area of a folder's files. Written when all files are complete. */
export const EXTRACT_FILE = "extract.json";

/** Folder of unfinished downloads. */
export const UNDER_WAY_FOLDER = ".get";
