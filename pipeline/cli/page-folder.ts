import { fileURLToPath } from "node:url";

/** The built page: what `npm run build` made, or what the package has with it. */
export const PAGE = import.meta.url.endsWith(".ts") ? "dist" : fileURLToPath(new URL("../page", import.meta.url));
