import { fileURLToPath } from "node:url";

/** Name and version of the packaged program. */
declare const CAIRN_PACKAGE: string | undefined;
declare const CAIRN_VERSION: string | undefined;

export const VERSION = typeof CAIRN_VERSION === "string" ? CAIRN_VERSION : "sources";

/** Name of this program in the npm registry; undefined if it runs from its sources. */
export const PACKAGE = typeof CAIRN_PACKAGE === "string" ? CAIRN_PACKAGE : undefined;

/** Folder of the built page: `dist` in the sources, or the one in the npm package. */
export const PAGE = import.meta.url.endsWith(".ts") ? "dist" : fileURLToPath(new URL("../page", import.meta.url));
