export { packageOutlines } from "./locate.ts";
export { createLocator, type Locator, writeOutlines } from "./source-outlines.ts";
