import { fileURLToPath } from "node:url";

/** What the program is, told when it is built as plain JavaScript. */
declare const CAIRN_PACKAGE: string | undefined;
declare const CAIRN_VERSION: string | undefined;

export const VERSION = typeof CAIRN_VERSION === "string" ? CAIRN_VERSION : "sources";

/** Its name in the registry; undefined where the program runs from its sources. */
export const PACKAGE = typeof CAIRN_PACKAGE === "string" ? CAIRN_PACKAGE : undefined;

/** The built page: what `npm run build` made, or what the package has with it. */
export const PAGE = import.meta.url.endsWith(".ts") ? "dist" : fileURLToPath(new URL("../page", import.meta.url));
