export { packageOutlines } from "./locate.ts";
export { createLocator, type Locator, readSourceOutlines, writeOutlines } from "./source-outlines.ts";
