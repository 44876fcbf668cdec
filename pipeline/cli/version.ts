import { fileURLToPath } from "node:url";

/** Name and version of the packaged program. */
declare const CAIRN_PACKAGE: string | undefined;
declare const CAIRN_VERSION: string | undefined;

export const VERSION = typeof CAIRN_VERSION === "string" ? CAIRN_VERSION : "sources";

/** Name in the npm registry; undefined if the program runs from its sources. */
export const PACKAGE = typeof CAIRN_PACKAGE === "string" ? CAIRN_PACKAGE : undefined;

/** Folder of the built page: the output of `npm run build`, or the one in the package. */
export const PAGE = import.meta.url.endsWith(".ts") ? "dist" : fileURLToPath(new URL("../page", import.meta.url));
